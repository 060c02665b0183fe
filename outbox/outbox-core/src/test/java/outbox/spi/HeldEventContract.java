package outbox.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.Claim;
import outbox.model.EventStatus;
import outbox.model.Held;

/** What any {@link LeaseStore} must let a node do with events it holds, and nobody else. */
public abstract class HeldEventContract extends LeasingContract {
  private final long begunAt = System.nanoTime();

  /** Runs that store through the contract. */
  protected HeldEventContract(LeaseStoreUnderTest subject) {
    super(subject);
  }

  private void assertUntouchedBy(Held stale) throws Exception {
    StoredEvent before = stored(stale.eventId());
    List<Held> list = List.of(stale);
    assertThat(holds(conn -> store().start(conn, stale, THERE, 1))).isFalse();
    assertThat(lost(conn -> store().renew(conn, list, THERE))).containsExactly(stale.eventId());
    on(conn -> store().done(conn, list));
    assertThat(holds(conn -> store().retry(conn, stale, Duration.ZERO, "late", true))).isFalse();
    assertThat(holds(conn -> store().dead(conn, stale, "late"))).isFalse();
    assertThat(touched(conn -> store().release(conn, list, Duration.ZERO, false))).isZero();
    assertThat(holds(conn -> store().releaseUnhandled(conn, stale, Duration.ZERO))).isFalse();
    assertThat(stored(stale.eventId())).isEqualTo(before);
  }

  @Test
  void aTokenThatWasOvertakenTouchesNothing() throws Exception {
    insert(HERE, event("a"));
    claim(storeAfter(LATER), 1);
    assertUntouchedBy(new Held("a", 0));
    assertUntouchedBy(new Held("a", 2));
    Held overtaken = new Held("a", 0);
    assertThat(lost(conn -> store().done(conn, List.of(overtaken)))).containsExactly("a");
    Held current = new Held("a", 1);
    assertThat(lost(conn -> store().done(conn, List.of(current)))).isEmpty();
    assertThat(lost(conn -> store().done(conn, List.of(current)))).as("again").isEmpty();
    assertThat(lost(conn -> store().done(conn, List.of(overtaken)))).containsExactly("a");
  }

  @Test
  void theStartCheckRenewsAndCountsOnlySuspects() throws Exception {
    insert(null, event("a"));
    Held held = held("a");
    Instant leased = stored("a").availableAt();
    assertThat(holds(conn -> storeAfter(LATER).start(conn, held, HERE, 0))).isTrue();
    assertThat(stored("a").availableAt()).isAfter(leased.plus(LATER.minus(slack())));
    assertThat(stored("a").lapses()).isZero();
    assertThat(holds(conn -> store().start(conn, held, HERE, 1))).isTrue();
    assertThat(stored("a").lapses()).isEqualTo(1);
    assertThat(stored("a").token()).isEqualTo(held.token());
  }

  @Test
  void renewalReportsExactlyWhatIsLost() throws Exception {
    insert(HERE, event("a"), event("b"), event("c"), event("d"));
    on(conn -> store().done(conn, List.of(new Held("c", 0))));
    on(conn -> store().release(conn, List.of(new Held("d", 0)), Duration.ZERO, false));
    Held claimed = held("d");
    List<Held> held =
        List.of(
            new Held("a", 0), new Held("b", 7), new Held("c", 0), claimed, new Held("nobody", 0));
    assertThat(lost(conn -> storeAfter(LATER).renew(conn, held, HERE)))
        .containsExactlyInAnyOrder("b", "c", "nobody");
    Instant renewed = in(LATER.plus(LEASE).minus(slack()));
    assertThat(stored("a").availableAt()).isAfter(renewed);
    assertThat(stored("d").availableAt()).isAfter(renewed);
    assertThat(stored("b").availableAt()).isBefore(renewed);
    assertThat(stored("a").token()).isZero();
  }

  @Test
  void nothingHeldIsNothingToDo() throws Exception {
    assertThat(lost(conn -> store().renew(conn, List.of(), HERE))).isEmpty();
    assertThat(lost(conn -> store().done(conn, List.of()))).isEmpty();
    assertThat(touched(conn -> store().release(conn, List.of(), Duration.ZERO, false))).isZero();
  }

  @Test
  void doneTellsWhichWereNoLongerHeld() throws Exception {
    insert(HERE, event("a"), event("b"), event("c"));
    List<Held> held = List.of(new Held("a", 0), new Held("b", 0), new Held("c", 9));
    assertThat(lost(conn -> store().done(conn, held))).containsExactly("c");
    assertThat(stored("a").status()).isEqualTo(EventStatus.DONE);
    assertThat(stored("a").doneAt()).isNotNull();
    assertThat(stored("a").claimedBy()).isNull();
    assertThat(stored("c").status()).isEqualTo(EventStatus.NEW);
    assertUntouchedBy(new Held("a", 0));
  }

  @Test
  void retryCountsTheAttemptClearsTheClaimAndTheSuspicion() throws Exception {
    insert(HERE, event("a"));
    Held held = claim(storeAfter(LATER), 1).claims().get(0).held();
    assertThat(stored("a").lapses()).isEqualTo(1);
    assertThat(holds(conn -> store().retry(conn, held, Duration.ofMinutes(1), "broken", true)))
        .isTrue();
    StoredEvent row = stored("a");
    assertThat(row.status()).isEqualTo(EventStatus.RETRY);
    assertThat(row.attempts()).isEqualTo(1);
    assertThat(row.lapses()).isZero();
    assertThat(row.claimedBy()).isNull();
    assertThat(row.lastError()).isEqualTo("broken");
    assertThat(row.availableAt())
        .isBetween(
            in(Duration.ofMinutes(1).minus(slack())), in(Duration.ofMinutes(1).plus(slack())));
    assertUntouchedBy(held);
    assertThat(claim(storeAfter(LATER), 1).claims().get(0).suspect()).isFalse();
  }

  @Test
  void deadCountsTheAttemptAndIsFinal() throws Exception {
    insert(HERE, event("a"));
    Held held = new Held("a", 0);
    assertThat(holds(conn -> store().dead(conn, held, "x".repeat(5_000)))).isTrue();
    StoredEvent row = stored("a");
    assertThat(row.status()).isEqualTo(EventStatus.DEAD);
    assertThat(row.attempts()).isEqualTo(1);
    assertThat(row.lastError()).hasSize(4_000);
    assertThat(row.claimedBy()).isNull();
    assertUntouchedBy(held);
    assertUntouchedBy(new Held("a", row.token()));
    assertThat(claim(storeAfter(LATER), 1).claims()).isEmpty();
  }

  @Test
  void releasingBurnsNoAttemptMovesTheTokenAndKeepsTheSuspicion() throws Exception {
    insert(HERE, event("a"));
    Held held = claim(storeAfter(LATER), 1).claims().get(0).held();
    assertThat(touched(conn -> store().release(conn, List.of(held), Duration.ZERO, false)))
        .isEqualTo(1);
    StoredEvent row = stored("a");
    assertThat(row.status()).isEqualTo(EventStatus.NEW);
    assertThat(row.attempts()).isZero();
    assertThat(row.lapses()).isEqualTo(1);
    assertThat(row.claimedBy()).isNull();
    assertThat(row.token()).isGreaterThan(held.token());
    assertUntouchedBy(held);
    assertThat(claim(store(), 1).claims().get(0).suspect()).isTrue();
    assertThat(stored("a").lapses()).isEqualTo(1);
  }

  @Test
  void releasedForAWhileIsDueAfterIt() throws Exception {
    insert(HERE, event("a"));
    on(conn -> store().release(conn, List.of(new Held("a", 0)), Duration.ofMinutes(1), false));
    assertThat(claim(store(), 1).claims()).isEmpty();
    assertThat(claim(storeAfter(LATER), 1).claims().get(0).suspect()).isFalse();
  }

  @Test
  void remembersSinceWhenNobodyListensByItsOwnClock() throws Exception {
    insert(null, event("a"));
    Held first = held("a");
    assertThat(holds(conn -> store().releaseUnhandled(conn, first, Duration.ZERO))).isTrue();
    Instant since = stored("a").unhandledSince();
    assertThat(since).isBetween(in(slack().negated()), in(slack()));
    assertUntouchedBy(first);
    LeaseStore later = storeAfter(LATER);
    var again = claim(later, 1).claims().get(0);
    assertThat(again.unhandledFor()).isBetween(LATER.minus(slack()), LATER.plus(slack()));
    on(conn -> later.releaseUnhandled(conn, again.held(), Duration.ZERO));
    assertThat(stored("a").unhandledSince()).isEqualTo(since);
    assertThat(stored("a").attempts()).isZero();
    var heard = claim(later, 1).claims().get(0);
    on(conn -> later.retry(conn, heard.held(), Duration.ZERO, "heard, but broken", true));
    assertThat(stored("a").unhandledSince()).isNull();
  }

  @Test
  void remembersSinceWhenAnEventFailsByItsOwnClock() throws Exception {
    insert(null, event("a"));
    var first = claim(store(), 1).claims().get(0);
    assertThat(first.failingFor()).isNull();
    on(conn -> store().retry(conn, first.held(), Duration.ZERO, "broken", true));
    Instant since = stored("a").failingSince();
    assertThat(since).isBetween(in(slack().negated()), in(slack()));
    LeaseStore later = storeAfter(LATER);
    var again = claim(later, 1).claims().get(0);
    assertThat(again.failingFor()).isBetween(LATER.minus(slack()), LATER.plus(slack()));
    on(conn -> later.retry(conn, again.held(), Duration.ZERO, "not now", false));
    assertThat(stored("a").failingSince()).isEqualTo(since);
    assertThat(stored("a").attempts()).as("the second was not to count").isEqualTo(1);
    assertThat(stored("a").lastError()).isEqualTo("not now");
  }

  @Test
  void makesWaitingRetriesOfATypeDue() throws Exception {
    EventEnvelope other = EventEnvelope.builder("U").eventId("other").payloadJson("1").build();
    insert(null, event("a"), event("b"), event("put off"), other);
    for (Claim claim : claim(store(), 4).claims()) {
      boolean counted = !claim.event().eventId().equals("put off");
      on(conn -> store().retry(conn, claim.held(), Duration.ofHours(1), "broken", counted));
    }
    Duration hour = Duration.ofHours(1);
    insert(
        null,
        EventEnvelope.builder("T").eventId("delayed").deliverAfter(hour).payloadJson("1").build());
    insert(HERE, event("leased"));
    assertThat(claim(store(), 10).claims()).isEmpty();
    assertThat(retryNow(1)).isEqualTo(1);
    assertThat(retryNow(10)).isEqualTo(1);
    assertThat(retryNow(10)).isZero();
    assertThat(claimed(claim(store(), 10).claims())).containsExactlyInAnyOrder("a", "b");
  }

  private int retryNow(int limit) throws Exception {
    return inTransaction(conn -> store().retryNow(conn, "T", limit));
  }

  @Test
  void makingRetriesDueWaitsForNoLock() throws Exception {
    insert(null, event("a"), event("b"));
    for (Claim claim : claim(store(), 2).claims()) {
      on(conn -> store().retry(conn, claim.held(), Duration.ofHours(1), "broken", true));
    }
    List<Held> locked = List.of(new Held("a", stored("a").token()));
    int madeDue =
        inTransaction(
            conn -> {
              store().release(conn, locked, Duration.ofHours(1), false);
              return retryNow(10);
            });
    assertThat(madeDue).as("the other one is locked").isEqualTo(1);
  }

  @Test
  void thePlainMarksTouchNothingThatIsFinished() throws Exception {
    insert(HERE, event("a"));
    on(conn -> store().dead(conn, new Held("a", 0), "e"));
    StoredEvent dead = stored("a");
    assertThat(touched(conn -> store().markDone(conn, "a"))).isZero();
    assertThat(touched(conn -> store().markRetry(conn, "a", Instant.now(), "e"))).isZero();
    assertThat(stored("a")).isEqualTo(dead);
  }

  /** How far a time may be off: what the test has taken so far, and some seconds. */
  private Duration slack() {
    return Duration.ofSeconds(5).plusNanos(System.nanoTime() - begunAt);
  }
}
