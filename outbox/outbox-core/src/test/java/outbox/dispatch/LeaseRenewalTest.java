package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.jdbc.ConnectionSource;
import holdfast.jdbc.Transactions;
import holdfast.testkit.time.SettableTime;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.spi.LeaseStore;

/** Renewals that cannot reach the database. */
class LeaseRenewalTest {
  private static final Duration RENEW_EVERY = Duration.ofMillis(500);
  private static final ConnectionSource GONE =
      () -> {
        throw new SQLException("no database");
      };

  private final SettableTime time = new SettableTime();
  private final InHand inHand = new InHand(new DefaultInFlightTracker());
  private final LeaseRenewal renewal =
      new LeaseRenewal(
          Transactions.of(GONE),
          outOfReach(),
          new LeaseSettings(
              "here",
              Duration.ofMillis(1_500),
              RENEW_EVERY,
              Duration.ofMillis(100),
              Duration.ofMinutes(1)),
          inHand,
          time);

  /** A fixed pause would outlast a short lease: one failure would cost every event in hand. */
  @Test
  void triesAgainSeveralTimesWithinTheLease() {
    EventEnvelope event = EventEnvelope.ofJson("OrderPlaced", "{}");
    inHand.reserve(event.eventId());
    inHand.add(Delivery.hot(event, time.nanoTime(), time.nanoTime()));

    time.advance(RENEW_EVERY);
    renewal.renewIfDue(mark -> {});

    assertThat(renewal.untilNext()).isEqualTo(Duration.ofMillis(100));
  }

  private static LeaseStore outOfReach() {
    return (LeaseStore)
        Proxy.newProxyInstance(
            LeaseStore.class.getClassLoader(),
            new Class<?>[] {LeaseStore.class},
            (proxy, method, args) -> {
              throw new AssertionError("no connection, so no statement: " + method);
            });
  }
}
