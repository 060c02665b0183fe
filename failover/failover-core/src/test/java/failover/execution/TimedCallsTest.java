package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;

import failover.threads.SharedThreads;
import holdfast.testkit.threads.Eventually;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TimedCallsTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  private final CountDownLatch mayBegin = new CountDownLatch(1);

  /** A thread that begins late, as on a busy machine. */
  private Thread late(Runnable task) {
    return new Thread(
        () -> {
          Uninterruptibly.await(mayBegin);
          task.run();
        });
  }

  @Test
  void closingWaitsForACallWhoseThreadHasNotBegunYet() throws InterruptedException {
    TimedCalls calls = new TimedCalls(this::late, 4, ContextPropagator.noOp());
    TimedCall<String> call =
        new TimedCall<>(() -> "late", Ticket.ALWAYS, (ticket, answer) -> {}, TimeSource.system());
    calls.submit(call, new SharedThreads.Share());
    Thread closing = new Thread(() -> calls.close(LONG, TimeSource.system()));
    closing.start();
    Eventually.await(
        "closing waits, or has ended",
        () -> closing.getState() == Thread.State.TIMED_WAITING || !closing.isAlive());
    assertThat(closing.isAlive()).isTrue();
    mayBegin.countDown();
    closing.join();
    assertThat(call.answer().value()).isEqualTo("late");
  }
}
