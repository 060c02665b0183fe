package outbox.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.Claim;
import outbox.model.Held;

/** How any {@link LeaseStore} must set ordered events aside until the one before is closed. */
public abstract class ParkedEventContract extends LeasingContract {
  private static final Duration BLINK = Duration.ofMillis(200);

  /** Runs that store through the contract. */
  protected ParkedEventContract(LeaseStoreUnderTest subject) {
    super(subject);
  }

  private static EventEnvelope.Builder line(String aggregate, String id) {
    return EventEnvelope.builder("T")
        .eventId(id)
        .aggregateType("A")
        .aggregateId(aggregate)
        .ordered()
        .payloadJson("1");
  }

  private static EventEnvelope ordered(String aggregate, String id) {
    return line(aggregate, id).build();
  }

  private int parkDue(LeaseStore from) throws Exception {
    return inTransaction(conn -> from.parkDue(conn, Duration.ZERO, id -> true));
  }

  private boolean park(Held held) throws Exception {
    return inTransaction(conn -> store().park(conn, held));
  }

  private int close(Held held) throws Exception {
    return inTransaction(conn -> close(conn, held));
  }

  private int close(Connection conn, Held held) {
    assertThat(store().done(conn, List.of(held))).isEmpty();
    return store().wakeNext(conn, List.of(held.eventId()));
  }

  @Test
  void whatWaitsForAnotherIsSetAsideOnce() throws Exception {
    insert(null, ordered("x", "x1"), ordered("x", "x2"), ordered("x", "x3"), ordered("y", "y1"));
    assertThat(parkDue(store())).isEqualTo(2);
    assertThat(stored("x1").parked()).isFalse();
    assertThat(stored("y1").parked()).isFalse();
    StoredEvent waiting = stored("x2");
    assertThat(waiting.parked()).isTrue();
    assertThat(waiting.token()).isEqualTo(1);
    assertThat(waiting.attempts()).isZero();
    assertThat(waiting.availableAt()).isAfter(in(Duration.ofMinutes(5)));
    assertThat(parkDue(store())).isZero();
    assertThat(claimed(claim(store(), 10).claims())).containsExactlyInAnyOrder("x1", "y1");
  }

  @Test
  void closingOneWakesTheNextAndNoOther() throws Exception {
    insert(null, ordered("x", "x1"), ordered("x", "x2"), ordered("x", "x3"));
    Held head = held("x1");
    assertThat(parkDue(store())).isEqualTo(2);
    assertThat(close(head)).isEqualTo(1);
    assertThat(stored("x3").parked()).isTrue();
    Held next = held("x2");
    assertThat(stored("x2").parked()).isFalse();
    assertThat(close(next)).isEqualTo(1);
    assertThat(close(held("x3"))).isZero();
  }

  @Test
  void aDeadEventWakesTheNextIfItIsSkipped() throws Exception {
    insert(null, ordered("x", "x1"), ordered("x", "x2"));
    Held head = held("x1");
    assertThat(parkDue(store())).isEqualTo(1);
    assertThat(holds(conn -> store().dead(conn, head, "e"))).isTrue();
    assertThat(touched(conn -> store().wakeNext(conn, List.of("x1")))).isZero();
    assertThat(touched(conn -> storeSkippingDead().wakeNext(conn, List.of("x1")))).isEqualTo(1);
    assertThat(claimed(claim(storeSkippingDead(), 10).claims())).containsExactly("x2");
  }

  @Test
  void marksByHandWakeTheNextToo() throws Exception {
    insert(null, ordered("x", "x1"), ordered("x", "x2"));
    assertThat(parkDue(store())).isEqualTo(1);
    assertThat(touched(conn -> store().markDone(conn, "x1"))).isEqualTo(1);
    assertThat(claimed(claim(store(), 10).claims())).containsExactly("x2");
  }

  @Test
  void aDelayedEventIsNeitherSetAsideNorWoken() throws Exception {
    insert(null, ordered("x", "x1"), line("x", "x2").deliverAfter(Duration.ofMinutes(1)).build());
    assertThat(parkDue(store())).isZero();
    assertThat(close(held("x1"))).isZero();
    assertThat(claim(store(), 10).claims()).isEmpty();
  }

  @Test
  void whoHoldsAnEventSetsItAsideUnlessItsTurnHasCome() throws Exception {
    insert(HERE, ordered("x", "x1"), ordered("x", "x2"), event("free"));
    Held waiting = new Held("x2", 0);
    assertThat(park(waiting)).isTrue();
    assertThat(stored("x2").claimedBy()).isNull();
    assertThat(park(waiting)).isFalse();
    assertThat(lost(conn -> store().renew(conn, List.of(waiting), HERE))).containsExactly("x2");
    assertThat(park(new Held("x1", 0))).isFalse();
    assertThat(park(new Held("free", 0))).isFalse();
  }

  @Test
  void whatThisNodeHasInHandIsLeftAlone() throws Exception {
    insert(null, ordered("x", "x1"), ordered("x", "x2"), ordered("x", "x3"));
    assertThat(
            touched(
                conn -> {
                  conn.setAutoCommit(false);
                  int parked = store().parkDue(conn, Duration.ZERO, "x3"::equals);
                  conn.commit();
                  return parked;
                }))
        .isEqualTo(1);
    assertThat(stored("x2").parked()).isFalse();
    assertThat(stored("x3").parked()).isTrue();
  }

  @Test
  void aLapsedEventThatWasNotHeadIsNoSuspect() throws Exception {
    insert(HERE, ordered("x", "x1"), ordered("x", "x2"));
    assertThat(parkDue(storeAfter(Duration.ofMinutes(1)))).isEqualTo(1);
    List<Claim> claims = claim(storeAfter(Duration.ofMinutes(1)), 10).claims();
    assertThat(claimed(claims)).containsExactly("x1");
    assertThat(claims.get(0).suspect()).isTrue();
    assertThat(close(claims.get(0).held())).isEqualTo(1);
    List<Claim> next = claim(storeAfter(Duration.ofMinutes(1)), 10).claims();
    assertThat(claimed(next)).containsExactly("x2");
    assertThat(next.get(0).suspect()).isFalse();
  }

  @Test
  void nothingIsSetAsideBehindAnEventThatIsBeingClosed() throws Exception {
    insert(HERE, ordered("x", "x1"));
    insert(null, ordered("x", "x2"));
    try (Connection closing = connect()) {
      closing.setAutoCommit(false);
      closing.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      assertThat(close(closing, new Held("x1", 0))).isZero();
      assertThat(parkDue(store())).isZero();
      closing.commit();
    }
    assertThat(claimed(claim(store(), 10).claims())).containsExactly("x2");
  }

  @Test
  void whoClosesAnEventWaitsForWhatIsBeingSetAsideBehindIt() throws Exception {
    insert(HERE, ordered("x", "x1"));
    insert(null, ordered("x", "x2"));
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (Connection parking = connect()) {
      parking.setAutoCommit(false);
      parking.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      assertThat(store().parkDue(parking, Duration.ZERO, id -> true)).isEqualTo(1);
      Future<Integer> woken = thread.submit(() -> close(new Held("x1", 0)));
      assertThatExceptionOfType(TimeoutException.class)
          .isThrownBy(() -> woken.get(BLINK.toMillis(), TimeUnit.MILLISECONDS));
      parking.commit();
      assertThat(woken.get(1, TimeUnit.MINUTES)).isEqualTo(1);
    } finally {
      thread.shutdownNow();
    }
    assertThat(claimed(claim(store(), 10).claims())).containsExactly("x2");
  }

  @Test
  void aHeadThatWasRemovedByHandIsNoticedInTheEnd() throws Exception {
    insert(null, ordered("x", "x1"), ordered("x", "x2"));
    assertThat(parkDue(store())).isEqualTo(1);
    on(conn -> store().done(conn, List.of(new Held("x1", 0))));
    assertThat(claim(store(), 10).claims()).isEmpty();
    assertThat(claimed(claim(storeAfter(Duration.ofMinutes(11)), 10).claims()))
        .containsExactly("x2");
    assertThat(stored("x2").parked()).isFalse();
  }
}
