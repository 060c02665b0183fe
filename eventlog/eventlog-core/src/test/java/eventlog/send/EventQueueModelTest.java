package eventlog.send;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eventlog.EventLogEntry;
import eventlog.Events;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Walks through the interleavings of adders, takers and a close; the checker needs public classes.
 */
@Tag("model")
public class EventQueueModelTest {
  private static final EventLogEntry EVENT = Events.event("e");

  /** Counts what a queue said it took, and what came out of it. */
  public abstract static class Room {
    private final AtomicInteger accepted = new AtomicInteger();
    private final List<InFlightEvent> taken = new ArrayList<>();
    private volatile boolean closed;

    abstract boolean offer(InFlightEvent event);

    abstract void drain(List<InFlightEvent> into);

    abstract void shut();

    /** Never "late" when run one after the other, so never "late" at all. */
    @Operation
    public String add() {
      boolean wasClosed = closed;
      boolean added = offer(new InFlightEvent(EVENT));
      if (added) {
        accepted.incrementAndGet();
      }
      return added && wasClosed ? "late" : "fine";
    }

    @Operation
    public void take() {
      List<InFlightEvent> mine = new ArrayList<>();
      drain(mine);
      synchronized (taken) {
        taken.addAll(mine);
      }
    }

    @Operation
    public void close() {
      shut();
      closed = true;
    }

    @Validate
    public void everyEventIsSeenOnce() {
      List<InFlightEvent> all = new ArrayList<>(taken);
      drain(all);
      Set<InFlightEvent> different = new HashSet<>(all);
      if (different.size() != all.size() || all.size() != accepted.get()) {
        throw new AssertionError("accepted " + accepted + " but saw " + all.size() + " events");
      }
    }
  }

  /** The queue, with less room than there are adders. */
  public static class QueueRoom extends Room {
    private final EventQueue queue = new EventQueue(2);

    @Override
    boolean offer(InFlightEvent event) {
      return queue.offer(event);
    }

    @Override
    void drain(List<InFlightEvent> into) {
      queue.drain(into, Integer.MAX_VALUE);
    }

    @Override
    void shut() {
      queue.close();
    }
  }

  /** A ring with the usual mistake: first it looks where the tail is, then it moves it. */
  public static class CarelessRoom extends Room {
    private final InFlightEvent[] places = new InFlightEvent[16];
    private volatile int tail;
    private volatile boolean shut;
    private int head;

    @Override
    boolean offer(InFlightEvent event) {
      if (shut) {
        return false;
      }
      int mine = tail;
      places[mine] = event;
      tail = mine + 1;
      return true;
    }

    @Override
    synchronized void drain(List<InFlightEvent> into) {
      for (; head < tail; head++) {
        into.add(places[head]);
      }
    }

    @Override
    void shut() {
      shut = true;
    }
  }

  private static ModelCheckingOptions options(int scenarios, int runs) {
    return new ModelCheckingOptions()
        .iterations(scenarios)
        .threads(3)
        .actorsPerThread(1)
        .actorsBefore(1)
        .actorsAfter(0)
        .invocationsPerIteration(runs)
        .minimizeFailedScenario(false);
  }

  @Test
  void everyEventThatWasTakenComesOutOnceAndNoneAfterTheClose() {
    options(3, 100).check(QueueRoom.class);
  }

  @Test
  @Tag("long")
  void everyEventComesOutOnceInManyRuns() {
    options(30, 2_000).check(QueueRoom.class);
  }

  @Test
  void theModelWouldFindAnEventThatIsOverwritten() {
    assertThatThrownBy(() -> options(5, 250).check(CarelessRoom.class))
        .isInstanceOf(LincheckAssertionError.class);
  }
}
