package outbox.dispatch;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.jdbc.Transactions;
import holdfast.time.TimeSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.model.Held;
import outbox.model.LeaseTerms;
import outbox.spi.LeaseStore;

/**
 * Keeps the leases of everything this node has in hand: queued, running or awaiting its mark.
 * Confined to the status writer's thread.
 */
final class LeaseRenewal {
  private static final int BATCH = 500;
  private static final int TRIES_PER_PERIOD = 5;
  private static final System.Logger LOG = System.getLogger("outbox");

  private final Transactions transactions;
  private final @Nullable LeaseStore store;
  private final LeaseSettings settings;
  private final InHand inHand;
  private final TimeSource time;
  private long nextAt;
  private boolean failing;

  LeaseRenewal(
      Transactions transactions,
      @Nullable LeaseStore store,
      LeaseSettings settings,
      InHand inHand,
      TimeSource time) {
    this.transactions = transactions;
    this.store = store;
    this.settings = settings;
    this.inHand = inHand;
    this.time = time;
    this.nextAt = time.nanoTime() + settings.renewEvery().toNanos();
  }

  boolean hasNothingInHand() {
    return inHand.isEmpty();
  }

  Duration untilNext() {
    return Duration.ofNanos(Math.max(0, nextAt - time.nanoTime()));
  }

  /** Renews if it is time; what has waited too long in a queue is handed over to be given back. */
  void renewIfDue(Consumer<Mark> giveBack) {
    if (nextAt - time.nanoTime() > 0) {
      return;
    }
    nextAt = time.nanoTime() + settings.renewEvery().toNanos();
    if (store == null) {
      return;
    }
    giveBackStale(giveBack);
    List<Delivery> leased = inHand.all().stream().filter(d -> d.held() != null).toList();
    try {
      for (int from = 0; from < leased.size(); from += BATCH) {
        renew(store, leased.subList(from, Math.min(from + BATCH, leased.size())));
      }
      failing = false;
    } catch (SQLException | OutboxException e) {
      nextAt = time.nanoTime() + settings.renewEvery().dividedBy(TRIES_PER_PERIOD).toNanos();
      if (!failing) {
        LOG.log(WARNING, "outbox leases not renewed, trying again; count=" + leased.size(), e);
      }
      failing = true;
    }
  }

  private void giveBackStale(Consumer<Mark> giveBack) {
    long oldest = time.nanoTime() - settings.maxQueueWait().toNanos();
    for (Delivery delivery : inHand.all()) {
      if (delivery.hasWaitedSince(oldest) && delivery.leave()) {
        giveBack.accept(new Mark(delivery, new Outcome.GivenBack(Duration.ZERO)));
      }
    }
  }

  private void renew(LeaseStore leases, List<Delivery> deliveries) throws SQLException {
    long sentAt = time.nanoTime();
    LeaseTerms terms = new LeaseTerms(settings.node(), settings.length());
    List<Held> held = deliveries.stream().map(LeaseRenewal::heldOf).toList();
    Set<String> lost = transactions.call(conn -> leases.renew(conn, held, terms));
    long until = sentAt + settings.length().toNanos();
    for (Delivery delivery : deliveries) {
      if (!lost.contains(delivery.eventId())) {
        delivery.leasedUntil(until);
      } else if (delivery.leave()) {
        inHand.release(delivery);
      }
    }
  }

  private static Held heldOf(Delivery delivery) {
    Held held = delivery.held();
    if (held == null) {
      throw new IllegalStateException(delivery.eventId() + " has no lease");
    }
    return held;
  }
}
