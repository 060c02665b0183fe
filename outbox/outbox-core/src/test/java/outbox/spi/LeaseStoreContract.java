package outbox.spi;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.work.SuspectLimit;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.Claim;
import outbox.model.ClaimRequest;
import outbox.model.ClaimResult;
import outbox.model.EventStatus;
import outbox.model.Held;

/** How any {@link LeaseStore} must insert and lend events. */
public abstract class LeaseStoreContract extends LeasingContract {
  private final long begunAt = System.nanoTime();

  /** Runs that store through the contract. */
  protected LeaseStoreContract(LeaseStoreUnderTest subject) {
    super(subject);
  }

  private static EventEnvelope delayed(String id, Duration by) {
    return EventEnvelope.builder("T").eventId(id).deliverAfter(by).payloadJson("1").build();
  }

  @Test
  void saysThatItLendsEvents() throws Exception {
    assertThat(holds(store()::supportsLeases)).isTrue();
  }

  @Test
  void aLeaseIsALaterTimeWithTheNodesNameBesideIt() throws Exception {
    Instant at = micros(in(Duration.ofHours(2)));
    insert(
        HERE,
        event("now"),
        delayed("later", Duration.ofHours(1)),
        EventEnvelope.builder("T").eventId("at").availableAt(at).payloadJson("1").build());
    assertThat(stored("now").claimedBy()).isEqualTo("here");
    assertThat(stored("now").token()).isZero();
    assertThat(stored("now").availableAt())
        .isBetween(in(LEASE.minus(slack())), in(LEASE.plus(slack())));
    assertThat(stored("later").claimedBy()).isNull();
    assertThat(stored("later").availableAt())
        .isBetween(in(Duration.ofHours(1).minus(slack())), in(Duration.ofHours(1).plus(slack())));
    assertThat(stored("at").claimedBy()).isNull();
    assertThat(stored("at").availableAt()).isEqualTo(at);
    assertThat(claim(store(), 10).claims()).isEmpty();
  }

  @Test
  void withoutALeaseItIsDueAtOnce() throws Exception {
    insert(null, event("a"), delayed("later", Duration.ofHours(1)));
    assertThat(stored("a").claimedBy()).isNull();
    assertThat(claimed(claim(store(), 10).claims())).containsExactly("a");
  }

  @Test
  void moreEventsThanOneStatementTakesAreInserted() throws Exception {
    List<EventEnvelope> events = many(2_500);
    insert(null, events.toArray(EventEnvelope[]::new));
    ClaimResult result = claim(store(), 2_500);
    assertThat(claimed(result.claims()))
        .containsExactlyInAnyOrderElementsOf(events.stream().map(e -> e.eventId()).toList());
  }

  @Test
  void aClaimIsCountedAndLeasedByTheDatabasesClock() throws Exception {
    insert(null, event("a"));
    Claim claim = claim(storeAfter(LATER), 1).claims().get(0);
    assertThat(claim.token()).isEqualTo(1);
    assertThat(claim.suspect()).isFalse();
    assertThat(claim.unhandledFor()).isNull();
    assertThat(claim.held().eventId()).isEqualTo("a");
    StoredEvent row = stored("a");
    assertThat(row.token()).isEqualTo(1);
    assertThat(row.claimedBy()).isEqualTo("here");
    assertThat(row.lapses()).isZero();
    Duration ahead = LATER.plus(LEASE);
    assertThat(row.availableAt()).isBetween(in(ahead.minus(slack())), in(ahead.plus(slack())));
  }

  @Test
  void theSoonestComeFirstThenTheIdAndNeverMoreThanTheLimit() throws Exception {
    Instant due = micros(in(Duration.ofMinutes(-1)));
    for (String id : List.of("c", "a", "b")) {
      insert(
          null,
          EventEnvelope.builder("T").eventId(id).availableAt(due).payloadJson("1").build(),
          EventEnvelope.builder("T")
              .eventId(id + "-sooner")
              .availableAt(due.minusMillis(1))
              .payloadJson("1")
              .build());
    }
    assertThat(claimed(claim(store(), 4).claims()))
        .containsExactly("a-sooner", "b-sooner", "c-sooner", "a");
    assertThat(claimed(claim(store(), 4).claims())).containsExactly("b", "c");
  }

  @Test
  void eventsYoungerThanAskedForAreLeftAlone() throws Exception {
    EventEnvelope old =
        EventEnvelope.builder("Made")
            .eventId("old")
            .availableAt(in(Duration.ofMinutes(-1)))
            .payloadJson("{}")
            .build();
    insert(null, old, event("young", in(Duration.ofHours(-3))));
    ClaimRequest request =
        new ClaimRequest(
            HERE,
            10,
            Map.of(),
            Long.MAX_VALUE,
            new SuspectLimit(1, 0),
            MAX_LAPSES,
            Duration.ofSeconds(30));
    assertThat(claimed(claim(store(), request, id -> true).claims())).containsExactly("old");
  }

  @Test
  void oneThatFailedBeforeIsNeverTooYoung() throws Exception {
    insert(null, event("young"));
    Held held = held("young");
    assertThat(holds(conn -> store().retry(conn, held, Duration.ZERO, "why", true))).isTrue();
    ClaimRequest request =
        new ClaimRequest(
            HERE,
            10,
            Map.of(),
            Long.MAX_VALUE,
            new SuspectLimit(1, 0),
            MAX_LAPSES,
            Duration.ofSeconds(30));
    assertThat(claimed(claim(store(), request, id -> true).claims())).containsExactly("young");
  }

  @Test
  void whatTheNodeCannotTakeIsNotTouched() throws Exception {
    insert(null, event("a"), event("b"));
    StoredEvent before = stored("a");
    List<String> asked = new ArrayList<>();
    ClaimResult result =
        claim(
            store(),
            request(10),
            id -> {
              asked.add(id);
              return id.equals("b");
            });
    assertThat(claimed(result.claims())).containsExactly("b");
    assertThat(asked).containsExactlyInAnyOrder("a", "b");
    assertThat(stored("a")).isEqualTo(before);
  }

  @Test
  void lockedAndClaimedRowsArePassedOver() throws Exception {
    insert(null, event("a"), event("b"), event("c"));
    List<String> theirs = new ArrayList<>();
    List<Claim> mine;
    try (Connection first = connect()) {
      first.setAutoCommit(false);
      first.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      mine = store().claim(first, request(2), id -> true).claims();
      assertThat(mine).hasSize(2);
      // A database may lock more than it hands out, so there may be nothing left for them yet.
      theirs.addAll(claimed(claim(store(), 10).claims()));
      assertThat(theirs).doesNotContainAnyElementsOf(claimed(mine));
      first.commit();
    }
    theirs.addAll(claimed(claim(store(), 10).claims()));
    assertThat(theirs).hasSize(1).doesNotContainAnyElementsOf(claimed(mine));
  }

  @Test
  void aClaimThatIsRolledBackNeverWas() throws Exception {
    insert(null, event("a"));
    StoredEvent before = stored("a");
    try (Connection conn = connect()) {
      conn.setAutoCommit(false);
      store().claim(conn, request(1), id -> true);
      conn.rollback();
    }
    assertThat(stored("a")).isEqualTo(before);
    held("a");
  }

  @Test
  void aClaimThatRanOutMakesASuspect() throws Exception {
    insert(HERE, event("a"));
    assertThat(stored("a").lapses()).isZero();
    Claim claim = claim(storeAfter(LATER), 10).claims().get(0);
    assertThat(claim.suspect()).isTrue();
    assertThat(claim.token()).isEqualTo(1);
    assertThat(stored("a").lapses()).isEqualTo(1);
    assertThat(stored("a").attempts()).isZero();
    Claim again = claim(storeAfter(LATER.multipliedBy(2)), 10).claims().get(0);
    assertThat(again.suspect()).isTrue();
    assertThat(again.token()).isEqualTo(2);
    assertThat(stored("a").lapses()).isEqualTo(1);
  }

  @Test
  void suspectsComeOneAtATimeAndDoNotStandBeforeTheOthers() throws Exception {
    insert(HERE, many(50).toArray(EventEnvelope[]::new));
    insert(null, event("innocent-1"), event("innocent-2"));
    ClaimResult first = claim(storeAfter(LATER), 3);
    assertThat(first.claims().stream().filter(Claim::suspect)).hasSize(1);
    assertThat(claimed(first.claims())).contains("innocent-1", "innocent-2");
    ClaimRequest none =
        new ClaimRequest(
            HERE, 10, Map.of(), Long.MAX_VALUE, new SuspectLimit(0, 0), MAX_LAPSES, Duration.ZERO);
    assertThat(claim(storeAfter(LATER), none, id -> true).claims()).isEmpty();
    assertThat(claim(storeAfter(LATER), 10).claims()).hasSize(1);
  }

  @Test
  void whatKilledItsNodeTooOftenIsDead() throws Exception {
    insert(HERE, event("a"));
    Duration passed = LATER;
    for (int start = 1; start <= MAX_LAPSES; start++) {
      LeaseStore now = storeAfter(passed);
      Claim claim = claim(now, 1).claims().get(0);
      assertThat(claim.suspect()).isTrue();
      assertThat(holds(conn -> now.start(conn, claim.held(), HERE, 1))).isTrue();
      assertThat(stored("a").lapses()).isEqualTo(start + 1);
      passed = passed.plus(LATER);
    }
    ClaimResult last = claim(storeAfter(passed), 1);
    assertThat(last.claims()).isEmpty();
    assertThat(last.dead()).containsExactly("a");
    assertThat(stored("a").status()).isEqualTo(EventStatus.DEAD);
    assertThat(stored("a").lastError()).isNotBlank();
    assertThat(stored("a").attempts()).isZero();
    assertThat(claim(storeAfter(passed.plus(LATER)), 1).dead()).isEmpty();
  }

  @Test
  void tellsHowLongUntilTheNextIsDue() throws Exception {
    assertThat(claim(store(), 1).untilNext()).isPositive();
    insert(null, delayed("later", Duration.ofSeconds(20)), event("a"), event("b"));
    assertThat(claim(store(), 1).untilNext()).isZero();
    assertThat(claim(store(), 5).untilNext())
        .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
  }

  @Test
  void nothingEndsTheCallersTransaction() throws Exception {
    insert(null, event("claimed"));
    try (Connection real = connect()) {
      real.setAutoCommit(false);
      Connection conn = GuardedConnection.over(real);
      store().supportsLeases(conn);
      store().leasesCountFromStatement(conn);
      store().insertAll(conn, List.of(event("inserted")), HERE);
      Claim claim = store().claim(conn, request(1), id -> true).claims().get(0);
      assertThat(store().start(conn, claim.held(), HERE, 0)).isTrue();
      assertThat(store().isHead(conn, "claimed")).isTrue();
      assertThat(store().renew(conn, List.of(claim.held()), HERE)).isEmpty();
      assertThat(store().done(conn, List.of(claim.held()))).isEmpty();
      assertThat(stored("inserted")).isNull();
      real.rollback();
    }
    assertThat(stored("inserted")).isNull();
    held("claimed");
  }

  /** How far a time may be off: what the test has taken so far, and some seconds. */
  private Duration slack() {
    return Duration.ofSeconds(5).plusNanos(System.nanoTime() - begunAt);
  }
}
