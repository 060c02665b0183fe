package eventbus.work;

import eventbus.Claim;
import eventbus.Event;
import eventbus.EventStatus;
import eventbus.table.EventStore;
import eventbus.table.Finish;
import eventbus.table.Held;
import holdfast.lease.MarkWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Writes outcomes into the table, many in one transaction, and sees to what follows: the event is
 * let go, counted, and the claimer told when something is due because of it. Confined to the thread
 * of the writer.
 */
final class Outcomes implements MarkWriter.Target<Mark, Delivery> {
  private final EventStore store;
  private final Hand hand;
  private final Announcer announcer;
  private final Consumer<Mark> settled;
  private final Set<Delivery> refused = new HashSet<>();

  Outcomes(EventStore store, Hand hand, Announcer announcer, Consumer<Mark> settled) {
    this.store = store;
    this.hand = hand;
    this.announcer = announcer;
    this.settled = settled;
  }

  @Override
  public void write(List<Mark> marks) {
    Set<Long> late = new HashSet<>();
    store.write(
        held -> {
          late.clear();
          write(held, marks, late);
        });
    for (Mark mark : marks) {
      if (late.contains(mark.delivery().event().id())) {
        refused.add(mark.delivery());
      }
    }
  }

  private static void write(Held held, List<Mark> marks, Set<Long> late) throws SQLException {
    List<Finish> finishes = new ArrayList<>();
    List<Claim> unstarted = new ArrayList<>();
    for (Mark mark : marks) {
      Claim claim = mark.delivery().event().claim();
      Outcome outcome = mark.outcome();
      if (outcome instanceof Outcome.Completed) {
        finishes.add(Finish.of(claim, EventStatus.COMPLETED, null));
      } else if (outcome instanceof Outcome.Failed failed) {
        finishes.add(Finish.of(claim, EventStatus.FAILED, failed.error()));
      } else if (outcome instanceof Outcome.Retry retry) {
        if (!held.retry(claim, retry.delay(), retry.done())) {
          late.add(claim.id());
        }
      } else if (outcome instanceof Outcome.GivenBack back) {
        // One given back that another has by now is no late word: nobody has handled it here.
        boolean counted = mark.delivery().isStartCounted();
        if (!back.done().isEmpty()) {
          held.giveBack(claim, back.done(), counted);
        } else if (counted) {
          held.giveBack(List.of(claim), true);
        } else {
          unstarted.add(claim);
        }
      }
    }
    held.giveBack(unstarted, false);
    held.finish(finishes).forEach(finish -> late.add(finish.id()));
  }

  @Override
  public void written(Mark mark) {
    Event event = mark.delivery().event();
    hand.release(mark.delivery());
    if (refused.remove(mark.delivery())) {
      announcer.stale(event.id());
    } else {
      announce(mark, event);
    }
    settled.accept(mark);
  }

  private void announce(Mark mark, Event event) {
    Outcome outcome = mark.outcome();
    if (outcome instanceof Outcome.Completed) {
      announcer.completed(event, Duration.ofNanos(mark.handlingNanos()));
    } else if (outcome instanceof Outcome.Failed failed) {
      announcer.failed(event, failed);
    } else if (outcome instanceof Outcome.Retry retry) {
      announcer.retried(event, retry);
    } else {
      announcer.givenBack();
    }
  }

  @Override
  public boolean isUrgent(Mark mark) {
    return mark.isUrgent();
  }

  @Override
  public Mark givenBack(Delivery delivery) {
    return Mark.givenBack(delivery);
  }
}
