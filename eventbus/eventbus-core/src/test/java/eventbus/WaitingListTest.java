package eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;

/** Events are seen while they wait for their next attempt. */
@Timeout(120)
class WaitingListTest extends BusFixture {

  @EachDatabase
  void errorFailuresAndNextTryAreReadableWhileAnEventWaits() throws Exception {
    EventBus bus =
        buses.started(
            b ->
                b.retryPolicy(
                        (failures, failure) ->
                            Optional.of(
                                failures == 1 ? Duration.ofMillis(10) : Duration.ofHours(1)))
                    .handler(
                        "A",
                        event -> {
                          throw new IllegalStateException(
                              "no mail", new IllegalArgumentException("no host"));
                        })
                    .handler(
                        "Later",
                        event -> {
                          throw new RetryAfterException(Duration.ofHours(2));
                        })
                    .handler("B", buses.recording()));
    List<Long> ids = bus.publishAll(Collections.nCopies(3, Buses.event("A")));
    long later = bus.publish(Buses.event("Later"));
    bus.publish(Buses.event("B"));
    awaitLogged(1);
    Eventually.await("waiting", () -> hasFailedTwice(bus) && bus.waiting().count(null) == 4);

    List<WaitingEvent> first = bus.waiting().list("A", 2, null);
    assertThat(first).hasSize(2);
    List<WaitingEvent> second = bus.waiting().list("A", 2, first.get(1).id());
    assertThat(second).hasSize(1);
    List<WaitingEvent> all = new ArrayList<>(first);
    all.addAll(second);
    assertThat(all).extracting(WaitingEvent::id).containsExactlyElementsOf(ids);
    assertThat(all)
        .allSatisfy(
            event -> {
              assertThat(event.type()).isEqualTo("A");
              assertThat(event.failures()).isEqualTo(2);
              assertThat(event.failingSince()).isBefore(event.nextTry());
              assertThat(event.nextTry())
                  .isAfter(Instant.now().plus(Duration.ofMinutes(50)))
                  .isBefore(Instant.now().plus(Duration.ofMinutes(70)));
              assertThat(event.lastError())
                  .startsWith("java.lang.IllegalStateException: no mail\n\tat eventbus.")
                  .contains("\nCaused by: java.lang.IllegalArgumentException: no host\n\tat ");
            });
    assertThat(bus.waiting().list("Later", 10, null))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.id()).isEqualTo(later);
              assertThat(event.failures()).isZero();
            });
    assertThatThrownBy(() -> bus.waiting().list(null, 0, null))
        .hasMessageContaining("limit must be 1 to 1000 but was 0");
  }

  private static boolean hasFailedTwice(EventBus bus) {
    List<WaitingEvent> failing = bus.waiting().list("A", 10, null);
    return failing.size() == 3 && failing.stream().allMatch(event -> event.failures() == 2);
  }
}
