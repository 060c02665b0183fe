package outbox.dispatch;

import holdfast.jdbc.Isolation;
import holdfast.jdbc.TransactionCall;
import holdfast.jdbc.Transactions;
import holdfast.log.Outage;
import holdfast.time.TimeSource;
import holdfast.work.Ended;
import holdfast.work.ErrorText;
import holdfast.work.Outcome;
import holdfast.work.WorkStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.model.Held;
import outbox.model.LeaseTerms;
import outbox.spi.EventStore;
import outbox.spi.LeaseStore;
import outbox.spi.MetricsExporter;

/**
 * The application's store as the engine uses it: fenced by tokens for events that are leased, by
 * the five plain methods for the others. The only class that tells the two apart. Safe for use by
 * many threads.
 */
final class DeliveryStore implements WorkStore<Delivery> {
  private final EventStore store;
  private final @Nullable LeaseStore leases;
  private final Transactions transactions;
  private final Transactions claiming;
  private final LeaseTerms terms;
  private final Reservations reservations;
  private final MetricsExporter metrics;
  private final Outage outage;
  private final TimeSource time;

  DeliveryStore(
      EventStore store,
      Transactions transactions,
      LeaseTerms terms,
      Reservations reservations,
      MetricsExporter metrics,
      Outage outage,
      TimeSource time) {
    this.store = store;
    this.leases = store instanceof LeaseStore leaseStore ? leaseStore : null;
    this.transactions = transactions;
    this.claiming = transactions.withIsolation(Isolation.READ_COMMITTED);
    this.terms = terms;
    this.reservations = reservations;
    this.metrics = metrics;
    this.outage = outage;
    this.time = time;
  }

  /** The store as one that leases events; null if it knows only the five plain methods. */
  @Nullable LeaseStore leases() {
    return leases;
  }

  LeaseTerms terms() {
    return terms;
  }

  Transactions transactions() {
    return transactions;
  }

  /**
   * Transactions to claim in: under a stricter isolation MySQL and MariaDB would lock the gaps
   * between due rows, where others insert.
   */
  Transactions claiming() {
    return claiming;
  }

  @Override
  public Start start(Delivery delivery, boolean renew) throws SQLException {
    Held held = delivery.held();
    LeaseStore table = leases;
    if (held == null || table == null) {
      return Start.GRANTED;
    }
    if (delivery.mayHaveToWaitForOthers()
        && !isTrue(transactions, conn -> table.isHead(conn, delivery.id()))) {
      boolean setAside = isTrue(claiming(), conn -> table.park(conn, held));
      return setAside ? Start.SET_ASIDE : Start.NOT_YET;
    }
    int group = delivery.suspectGroup();
    if (renew && !transactions.call(conn -> table.start(conn, held, terms, group))) {
      return Start.LOST;
    }
    if (group == 1) {
      delivery.countStart();
    }
    return Start.GRANTED;
  }

  private boolean isTrue(Transactions in, TransactionCall<Boolean, RuntimeException> question) {
    try {
      return in.call(question);
    } catch (SQLException | OutboxException e) {
      outage.failedOnce("start check", e);
      return false;
    }
  }

  @Override
  public Set<Delivery> renew(List<Delivery> deliveries) throws SQLException {
    LeaseStore table = leases;
    List<Held> held = deliveries.stream().map(Delivery::held).filter(Objects::nonNull).toList();
    if (table == null || held.isEmpty()) {
      return Set.of();
    }
    Set<String> gone = transactions.call(conn -> table.renew(conn, held, terms));
    return deliveries.stream()
        .filter(delivery -> delivery.held() != null && gone.contains(delivery.id()))
        .collect(Collectors.toSet());
  }

  /** All in one transaction. The table tells how many were stale, not which. */
  @Override
  public Set<Delivery> record(List<Ended<Delivery>> outcomes) throws SQLException {
    // What was set aside while an outcome waited for its row must be seen, to be woken.
    boolean wakes = outcomes.stream().anyMatch(DeliveryStore::closesForOthers);
    int stale = (wakes ? claiming() : transactions).call(conn -> record(conn, outcomes));
    for (int i = 0; i < stale; i++) {
      metrics.incrementStaleOutcomes();
    }
    outcomes.stream().filter(DeliveryStore::isSettledPlainly).forEach(reservations::settled);
    return Set.of();
  }

  private int record(Connection conn, List<Ended<Delivery>> outcomes) {
    List<Held> done = new ArrayList<>();
    List<String> closed = new ArrayList<>();
    Map<Duration, List<Held>> released = new LinkedHashMap<>();
    List<Held> uncounted = new ArrayList<>();
    int stale = 0;
    for (Ended<Delivery> ended : outcomes) {
      Held held = ended.item().held();
      if (closesForOthers(ended)) {
        closed.add(ended.item().id());
      }
      if (held == null || leases == null) {
        stale += recordPlain(conn, ended) ? 0 : 1;
      } else if (ended.outcome() instanceof Outcome.Done) {
        done.add(held);
      } else if (ended.outcome() instanceof Outcome.Released && ended.item().isStartCounted()) {
        uncounted.add(held);
      } else if (ended.outcome() instanceof Outcome.Released release) {
        released.computeIfAbsent(release.delay(), delay -> new ArrayList<>()).add(held);
      } else {
        stale += recordFenced(leases, conn, held, ended.outcome()) ? 0 : 1;
      }
    }
    if (leases != null) {
      stale += done.isEmpty() ? 0 : done.size() - leases.done(conn, done);
      for (Map.Entry<Duration, List<Held>> group : released.entrySet()) {
        // One released that another node has by now is not stale: nobody has delivered it here.
        leases.release(conn, group.getValue(), group.getKey(), false);
      }
      if (!uncounted.isEmpty()) {
        leases.release(conn, uncounted, Duration.ZERO, true);
      }
      if (!closed.isEmpty()) {
        leases.wakeNext(conn, closed);
      }
    }
    return stale;
  }

  @Override
  public int retryNow(String type, int limit) throws SQLException {
    LeaseStore table = leases;
    return table == null
        ? 0
        : claiming().call(c -> table.supportsLeases(c) ? table.retryNow(c, type, limit) : 0);
  }

  /** Whether the next event of its aggregate may have been set aside until now. */
  private static boolean closesForOthers(Ended<Delivery> ended) {
    Outcome outcome = ended.outcome();
    boolean closes = outcome instanceof Outcome.Done || outcome instanceof Outcome.Dead;
    return closes && ended.item().isOrdered() && ended.item().held() != null;
  }

  /** Whether a publisher may still come with an event that the poller has found before it. */
  private static boolean isSettledPlainly(Ended<Delivery> ended) {
    Delivery delivery = ended.item();
    boolean released = ended.outcome() instanceof Outcome.Released;
    return !released && delivery.held() == null && delivery.isCold();
  }

  private static boolean recordFenced(
      LeaseStore leases, Connection conn, Held held, Outcome outcome) {
    if (outcome instanceof Outcome.Retry retry) {
      return leases.retry(
          conn, held, retry.delay(), ErrorText.withStack(retry.cause()), retry.counted());
    }
    if (outcome instanceof Outcome.Dead dead) {
      return leases.dead(conn, held, dead.error());
    }
    if (outcome instanceof Outcome.Unhandled unhandled) {
      return leases.releaseUnhandled(conn, held, unhandled.delay());
    }
    throw new IllegalStateException("recorded in groups: " + outcome);
  }

  private boolean recordPlain(Connection conn, Ended<Delivery> ended) {
    String id = ended.item().id();
    Outcome outcome = ended.outcome();
    if (outcome instanceof Outcome.Done) {
      return store.markDone(conn, id) > 0;
    }
    if (outcome instanceof Outcome.Retry retry) {
      return store.markRetry(conn, id, time.instant().plus(retry.delay()), retry.error()) > 0;
    }
    if (outcome instanceof Outcome.Dead dead) {
      return store.markDead(conn, id, dead.error()) > 0;
    }
    if (outcome instanceof Outcome.Unhandled unhandled) {
      // Left due, it would be found by every poll and fill the batch; of the five methods only this
      // one can put it off, though it counts an attempt.
      String error = "no listener for type '" + ended.item().type() + "' here";
      return store.markRetry(conn, id, time.instant().plus(unhandled.delay()), error) > 0;
    }
    return true; // released: the row was never changed, so there is nothing to undo
  }
}
