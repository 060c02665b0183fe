package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.TimeZone;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import org.junit.jupiter.api.Timeout;

/** Numbers and clocks. */
@Timeout(120)
class BacklogTest {

  @EachDatabase
  void depthAndAgeOfEveryType(TestDatabase database) throws Exception {
    try (Buses buses = Buses.on(database)) {
      EventBus bus = buses.made(b -> b.handler("A", buses.recording()));
      assertThat(bus.backlog().depth()).isZero();
      assertThat(bus.backlog().oldest()).isZero();
      bus.publishAll(Collections.nCopies(3, Buses.event("A")));
      buses.advance(Duration.ofMinutes(10));
      bus.publish(Event.builder("B").delay(Duration.ofHours(1)).build());
      assertThat(bus.poll()).isPresent();
      Backlog backlog = bus.backlog();
      assertThat(backlog.depth()).isEqualTo(4);
      assertThat(backlog.due()).isEqualTo(2);
      assertThat(backlog.unhandled()).isEqualTo(1);
      Backlog.OfType first = backlog.types().get(0);
      assertThat(first.type()).isEqualTo("A");
      assertThat(first.pending()).isEqualTo(2);
      assertThat(first.processing()).isEqualTo(1);
      assertThat(first.oldest()).isBetween(Duration.ofMinutes(10), Duration.ofMinutes(11));
      assertThat(backlog.types().get(1).handled()).isFalse();
    }
  }

  @EachDatabase(DatabaseKind.H2)
  void aStartedNodeWarnsOnceOfEachTypeItDoesNotHandle(TestDatabase database) throws Exception {
    try (CapturedLog log = new CapturedLog("eventbus");
        Buses buses = Buses.on(database)) {
      EventBus publisher = buses.made();
      publisher.publish(Buses.event("B"));
      assertThat(publisher.backlog().unhandledTypes()).containsExactly("B");
      assertThat(log.messages(Level.WARNING)).as("not started").isEmpty();
      EventBus worker = buses.started(b -> b.handler("A", buses.recording()));
      worker.backlog();
      worker.backlog();
      assertThat(log.messages(Level.WARNING))
          .containsExactly(
              "eventbus has no handler on this node for type=B, so its events wait for another"
                  + " node; register a handler");
    }
  }

  @EachDatabase
  void aTypeThatNoNodeTakesForAMinuteIsWarnedOfOnce(TestDatabase database) throws Exception {
    assertWarnsOnce(database, b -> b.handler("A", event -> {}));
  }

  @EachDatabase(DatabaseKind.H2)
  void soItIsByANodeWithoutAnyHandler(TestDatabase database) throws Exception {
    assertWarnsOnce(database, b -> b);
  }

  private static void assertWarnsOnce(
      TestDatabase database, UnaryOperator<EventBusBuilder> handlers) throws Exception {
    SettableTime time = new SettableTime();
    try (CapturedLog log = new CapturedLog("eventbus");
        Buses buses = Buses.on(database)) {
      EventBus bus = buses.started(b -> handlers.apply(b.timeSource(time)));
      bus.publish(Buses.event("Typo"));
      buses.advance(Duration.ofMinutes(2));
      for (int i = 0; i < 2; i++) {
        Eventually.await(
            "warned",
            () -> {
              time.advance(Duration.ofSeconds(10));
              return !log.messages(Level.WARNING).isEmpty();
            });
        time.advance(Duration.ofMinutes(2));
      }
      assertThat(log.messages(Level.WARNING))
          .containsExactly(
              "eventbus has no handler on this node for type=Typo, so its events wait for another"
                  + " node; register a handler");
    }
  }

  @EachDatabase
  void ageIsMeasuredFromThePublicationNotFromTheLastRetry(TestDatabase database) throws Exception {
    try (Buses buses = Buses.on(database)) {
      EventBus bus =
          buses.started(
              b ->
                  b.retryPolicy((failures, failure) -> Optional.of(Duration.ofMinutes(30)))
                      .handler(
                          "A",
                          event -> {
                            throw new IllegalStateException("down");
                          }));
      long id = bus.publish(Buses.event("A"));
      for (int failures = 1; failures <= 3; failures++) {
        int expected = failures;
        Eventually.await("failed", () -> buses.tables.number(id, "failures") == expected);
        buses.advance(Duration.ofMinutes(31));
      }
      assertThat(bus.backlog().oldest()).isGreaterThan(Duration.ofMinutes(90));
    }
  }

  /** A clock that runs as it should but shows the wrong day. */
  private record WrongDay(Duration wrongBy) implements TimeSource {
    @Override
    public Instant instant() {
      return TimeSource.system().instant().plus(wrongBy);
    }

    @Override
    public long nanoTime() {
      return TimeSource.system().nanoTime();
    }

    @Override
    public Alarm newAlarm() {
      return TimeSource.system().newAlarm();
    }
  }

  @EachDatabase
  void aJvmWithAWrongClockInAnotherZoneChangesNothing(TestDatabase database) throws Exception {
    TimeZone before = TimeZone.getDefault();
    for (Duration wrong : new Duration[] {Duration.ofDays(1), Duration.ofDays(-1)}) {
      TimeZone.setDefault(
          TimeZone.getTimeZone(wrong.isNegative() ? "Pacific/Kiritimati" : "Pacific/Pago_Pago"));
      try (Buses buses = Buses.on(database)) {
        EventBus right = buses.made();
        long held = right.publish(Buses.event("A"));
        assertThat(right.poll()).isPresent();
        EventBus bus =
            buses.started(b -> b.timeSource(new WrongDay(wrong)).handler("A", buses.recording()));
        long fresh = bus.publish(Buses.event("A"));
        Eventually.await("handled", () -> buses.tables.count("event_log") == 1);
        assertThat(buses.handled).as("not what another holds").containsExactly(fresh);
        assertThat(buses.tables.event(held)).containsEntry("status", "PROCESSING");
        assertThat(bus.backlog().oldest()).isLessThan(Duration.ofMinutes(2));
        Instant created = right.log().find(fresh).orElseThrow().createdAt();
        assertThat(Duration.between(created, Instant.now()).abs())
            .isLessThan(Duration.ofMinutes(2));
        bus.close();
      } finally {
        TimeZone.setDefault(before);
      }
    }
  }
}
