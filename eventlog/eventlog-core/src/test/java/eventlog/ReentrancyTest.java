package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import holdfast.testkit.threads.Eventually;
import java.util.AbstractList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** What the application's own code does while the logger calls it. */
class ReentrancyTest extends LoggerFixture {

  @Test
  void whatTheClientLogsIsRefused() {
    AtomicReference<AsyncEventLogger> self = new AtomicReference<>();
    api.answers(
        events -> {
          assertThat(self.get().log(Events.event("about the request"))).isFalse();
          return Answer.delivered();
        });
    self.set(logger(b -> {}));

    self.get().log(Events.event("a"));
    settle(self.get());

    assertThat(api.stored()).containsExactly("a");
    assertThat(self.get().ledger().lostByReason()).containsEntry("logged_by_logger", 1L);
  }

  @Test
  void whatTheCallbackLogsIsRefusedAndDoesNotCallItAgain() {
    AtomicReference<AsyncEventLogger> self = new AtomicReference<>();
    self.set(
        logger(
            b ->
                b.eventLossCallback(
                    (event, reason) -> {
                      losses.onEventLoss(event, reason);
                      self.get().log(Events.event("about the loss"));
                    })));
    self.get().shutdown();

    self.get().log(Events.event("late"));

    assertThat(losses.told()).containsExactly("late shutdown_in_progress");
    assertThat(self.get().ledger().lostByReason()).containsEntry("logged_by_logger", 1L);
    assertBalanced(self.get());
  }

  @Test
  void afterACallbackTheCallersThreadMayLogAgain() {
    AsyncEventLogger first = logger(b -> {});
    AsyncEventLogger second = logger(b -> {});
    first.shutdown();

    first.log(Events.event("late"));

    assertThat(second.log(Events.event("a"))).isTrue();
    assertThat(first.log(Events.event("late again"))).isFalse();
    assertThat(losses.told())
        .containsExactly("late shutdown_in_progress", "late again shutdown_in_progress");
  }

  @Test
  void aCallbackThatThrowsHarmsNobody() {
    AsyncEventLogger logger =
        logger(
            b ->
                b.eventLossCallback(
                    (event, reason) -> {
                      if (event.idempotencyKey().equals("error")) {
                        throw new AssertionError("no");
                      }
                      throw new IllegalStateException("no");
                    }));
    logger.shutdown();

    assertThat(logger.log(Events.event("exception"))).isFalse();
    assertThat(logger.log(Events.event("error"))).isFalse();
    assertBalanced(logger);
  }

  @Test
  void aClientThatThrowsAnErrorFailsOnlyItsRequest() {
    api.answers(
        events -> {
          throw new NoClassDefFoundError("driver");
        });
    AsyncEventLogger logger = logger(b -> {});
    logger.log(Events.event("a"));
    Eventually.await("tried", () -> api.requests().size() == 1);
    api.isUp();

    passUntil("delivered", () -> logger.metrics().eventsSent() == 1);

    assertThat(api.stored()).containsExactly("a");
  }

  @Test
  void ofAListThatCannotBeReadWhatWasReadIsLogged() {
    AsyncEventLogger logger = logger(b -> {});
    List<EventLogEntry> changing =
        new AbstractList<>() {
          @Override
          public EventLogEntry get(int index) {
            if (index > 0) {
              throw new ConcurrentModificationException();
            }
            return Events.event("first");
          }

          @Override
          public int size() {
            return 2;
          }
        };

    assertThat(logger.log(changing)).isEqualTo(1);

    settle(logger);
    assertThat(api.stored()).containsExactly("first");
    assertThat(log.thrown(Level.WARNING)).hasSize(1);
  }

  @Test
  void nullIsNoEvent() {
    AsyncEventLogger logger = logger(b -> {});

    assertThat(logger.log((EventLogEntry) null)).isFalse();
    assertThat(logger.log((java.util.List<EventLogEntry>) null)).isZero();

    assertThat(logger.ledger().accepted()).isZero();
    assertThat(losses.told()).isEmpty();
  }
}
