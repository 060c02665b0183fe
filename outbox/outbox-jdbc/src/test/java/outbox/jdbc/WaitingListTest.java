package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import outbox.EventListener;
import outbox.RetryAfterException;

/** Events are seen while they wait for their next attempt. */
@Timeout(120)
class WaitingListTest {
  private static final EventListener FAILING =
      event -> {
        throw new IllegalStateException("no mail", new IllegalArgumentException("no host"));
      };

  @EachDatabase
  void errorAttemptsAndNextTryAreReadableWhileAnEventWaits(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.retryPolicy(attempts -> attempts == 1 ? 10 : Duration.ofHours(1).toMillis())
                      .listener("A", FAILING)
                      .listener(
                          "Later",
                          event -> {
                            throw new RetryAfterException(Duration.ofHours(2));
                          })
                      .listener("B", nodes.recording()));
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        ids.add(Nodes.publish(node, Nodes.event("A")));
      }
      String later = Nodes.publish(node, Nodes.event("Later"));
      Nodes.publish(node, Nodes.event("B"));
      Eventually.await("waiting", () -> hasFailedTwice(node) && node.waiting().count(null) == 4);

      List<WaitingEvent> first = node.waiting().list("A", 2, null);
      assertThat(first).hasSize(2);
      String last = first.get(1).eventId();
      List<WaitingEvent> second = node.waiting().list("A", 2, last);
      assertThat(second).hasSize(1);
      List<WaitingEvent> all = new ArrayList<>(first);
      all.addAll(second);
      assertThat(all).extracting(WaitingEvent::eventId).containsExactlyElementsOf(ids);
      assertThat(all)
          .allSatisfy(
              event -> {
                assertThat(event.eventType()).isEqualTo("A");
                assertThat(event.attempts()).isEqualTo(2);
                assertThat(event.failingSince()).isBefore(event.nextTry());
                assertThat(event.nextTry())
                    .isAfter(Instant.now().plus(Duration.ofMinutes(50)))
                    .isBefore(Instant.now().plus(Duration.ofMinutes(70)));
                assertThat(event.lastError())
                    .startsWith("java.lang.IllegalStateException: no mail\n\tat outbox.jdbc.")
                    .contains("\nCaused by: java.lang.IllegalArgumentException: no host\n\tat ");
              });
      assertThat(node.waiting().list("Later", 10, null))
          .singleElement()
          .satisfies(
              event -> {
                assertThat(event.eventId()).isEqualTo(later);
                assertThat(event.attempts()).isZero();
              });
      assertThat(node.waiting().count("B")).isZero();
      assertThatThrownBy(() -> node.waiting().list(null, 1_001, null))
          .hasMessageContaining("limit must be 1 to 1000 but was 1001");
    }
  }

  private static boolean hasFailedTwice(JdbcOutbox node) {
    List<WaitingEvent> failing = node.waiting().list("A", 10, null);
    return failing.size() == 3 && failing.stream().allMatch(event -> event.attempts() == 2);
  }
}
