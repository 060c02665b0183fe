package outbox.dispatch;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.jdbc.Isolation;
import holdfast.jdbc.TransactionCall;
import holdfast.jdbc.Transactions;
import holdfast.log.LibraryLogger;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.ClaimRequest;
import outbox.model.ClaimResult;
import outbox.model.Held;
import outbox.model.LeaseTerms;
import outbox.spi.EventStore;
import outbox.spi.LeaseStore;

/**
 * The application's store as the engine uses it: fenced by tokens for events that are leased, by
 * the five plain methods for the others. Which of the two a table allows is found out here only.
 * Safe for use by many threads.
 */
final class DeliveryStore implements WorkStore<Delivery> {
  private static final System.Logger LOG = LibraryLogger.of("outbox");

  private final EventStore store;
  private final @Nullable LeaseStore leases;
  private final Transactions transactions;
  private final Transactions claiming;
  private final LeaseTerms terms;
  private final Reservations reservations;
  private final Outage outage;
  private final TimeSource time;
  private final AtomicBoolean warnedOfColumns = new AtomicBoolean();
  private volatile boolean hasColumns; // once true, it stays so
  private volatile boolean leasesCountFromStatement; // known as soon as there are columns

  DeliveryStore(
      EventStore store,
      Transactions transactions,
      LeaseTerms terms,
      Reservations reservations,
      Outage outage,
      TimeSource time) {
    this.store = store;
    this.leases = store instanceof LeaseStore leaseStore ? leaseStore : null;
    this.transactions = transactions;
    this.claiming = transactions.withIsolation(Isolation.READ_COMMITTED);
    this.terms = terms;
    this.reservations = reservations;
    this.outage = outage;
    this.time = time;
  }

  LeaseTerms terms() {
    return terms;
  }

  /** Whether the store leases events, in a table that has the columns. */
  boolean mayLease() {
    return leases != null;
  }

  /** Whether events can be leased in that table; warns once if it lacks the columns. */
  boolean canLease(EventStore table, Connection conn) {
    if (!(table instanceof LeaseStore leasing)) {
      return false;
    }
    if (!hasColumns && leasing.supportsLeases(conn)) {
      leasesCountFromStatement = leasing.leasesCountFromStatement(conn);
      hasColumns = true;
    }
    if (!hasColumns && warnedOfColumns.compareAndSet(false, true)) {
      LOG.log(
          WARNING,
          "outbox table lacks the columns for several nodes; working as a single node until the"
              + " upgrade script has been run and this node is restarted");
    }
    return hasColumns;
  }

  /** Inserts events into a table that cannot lease them. */
  void insertPlain(EventStore table, Connection conn, List<EventEnvelope> events) {
    if (events.stream().anyMatch(EventEnvelope::isOrdered)) {
      throw new IllegalStateException(
          "ordered events must go to a table that numbers them but this one lacks the columns; run"
              + " the upgrade script or publish without ordered()");
    }
    events.forEach(event -> table.insertNew(conn, event));
  }

  /** Inserts events into a table that {@link #canLease} them, leased to this node or to none. */
  void insert(EventStore table, Connection conn, List<EventEnvelope> events, boolean leased) {
    if (!events.isEmpty()) {
      ((LeaseStore) table).insertAll(conn, events, leased ? terms : null);
    }
  }

  /** Whether a lease counts from the statement that inserts, in a table that {@link #canLease}. */
  boolean leasesCountFromStatement() {
    return leasesCountFromStatement;
  }

  /**
   * Claims due events.
   *
   * @param onTry is called before each try, of which there may be several
   * @return what was claimed; empty if the table cannot lease events
   */
  Optional<ClaimResult> claim(ClaimRequest request, Runnable onTry, Predicate<String> reserve)
      throws SQLException {
    LeaseStore table = leases;
    if (table == null) {
      return Optional.empty();
    }
    return claiming()
        .callAgainAfterDeadlock(
            conn -> {
              onTry.run();
              return table.supportsLeases(conn)
                  ? Optional.of(table.claim(conn, request, reserve))
                  : Optional.empty();
            });
  }

  /** Sets aside what waits for others; returns how many events. */
  int park(Duration minAge, Predicate<String> reserve) throws SQLException {
    LeaseStore table = leases;
    return table == null ? 0 : claiming().call(conn -> table.parkDue(conn, minAge, reserve));
  }

  /** Releases an event that was not run at once; false if there is no lease to release. */
  boolean release(Delivery delivery) throws SQLException {
    LeaseStore table = leases;
    Held held = delivery.held();
    if (!delivery.isLeased() || table == null || held == null) {
      return false;
    }
    return transactions.call(conn -> table.release(conn, List.of(held), Duration.ZERO, false) > 0);
  }

  /**
   * Transactions to claim in: under a stricter isolation MySQL and MariaDB would lock the gaps
   * between due rows, where others insert.
   */
  private Transactions claiming() {
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
    List<Held> held = held(deliveries);
    if (table == null || held.isEmpty()) {
      return Set.of();
    }
    return among(deliveries, transactions.call(conn -> table.renew(conn, held, terms)));
  }

  /** All in one transaction. */
  @Override
  public Set<Delivery> record(List<Ended<Delivery>> outcomes) throws SQLException {
    // What was set aside while an outcome waited for its row must be seen, to be woken.
    boolean wakes = outcomes.stream().anyMatch(DeliveryStore::closesForOthers);
    Set<Delivery> stale = (wakes ? claiming() : transactions).call(conn -> record(conn, outcomes));
    outcomes.stream().filter(DeliveryStore::isSettledPlainly).forEach(reservations::settled);
    return stale;
  }

  private Set<Delivery> record(Connection conn, List<Ended<Delivery>> outcomes) {
    List<Delivery> done = new ArrayList<>();
    List<String> closed = new ArrayList<>();
    Map<Duration, List<Held>> released = new LinkedHashMap<>();
    List<Held> uncounted = new ArrayList<>();
    Set<Delivery> stale = new HashSet<>();
    for (Ended<Delivery> ended : outcomes) {
      Held held = ended.item().held();
      if (closesForOthers(ended)) {
        closed.add(ended.item().id());
      }
      if (held == null || leases == null) {
        addIf(!recordPlain(conn, ended), ended.item(), stale);
      } else if (ended.outcome() instanceof Outcome.Done) {
        done.add(ended.item());
      } else if (ended.outcome() instanceof Outcome.Released && ended.item().isStartCounted()) {
        uncounted.add(held);
      } else if (ended.outcome() instanceof Outcome.Released release) {
        released.computeIfAbsent(release.delay(), delay -> new ArrayList<>()).add(held);
      } else {
        addIf(!recordFenced(leases, conn, held, ended.outcome()), ended.item(), stale);
      }
    }
    if (leases != null) {
      stale.addAll(recordDone(leases, conn, done));
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

  private static void addIf(boolean isStale, Delivery delivery, Set<Delivery> stale) {
    if (isStale) {
      stale.add(delivery);
    }
  }

  private static Set<Delivery> recordDone(LeaseStore leases, Connection conn, List<Delivery> done) {
    if (done.isEmpty()) {
      return Set.of();
    }
    Set<String> gone = leases.done(conn, held(done));
    return gone.isEmpty() ? Set.of() : among(done, gone);
  }

  private static List<Held> held(List<Delivery> deliveries) {
    return deliveries.stream().map(Delivery::held).filter(Objects::nonNull).toList();
  }

  private static Set<Delivery> among(List<Delivery> deliveries, Set<String> gone) {
    return deliveries.stream()
        .filter(delivery -> delivery.held() != null && gone.contains(delivery.id()))
        .collect(Collectors.toSet());
  }

  @Override
  public int retryNow(String type, int limit) throws SQLException {
    LeaseStore table = leases;
    return table == null
        ? 0
        : claiming().call(c -> table.supportsLeases(c) ? table.retryNow(c, type, limit) : 0);
  }

  /** Keeps the counters of the ledger few; whether it should be done again soon. */
  boolean foldCounters() throws SQLException {
    LeaseStore table = leases;
    return table != null && claiming().call(table::foldCounters);
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
