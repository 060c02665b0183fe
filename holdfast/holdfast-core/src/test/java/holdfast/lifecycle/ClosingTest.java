package holdfast.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Closing is done once; other callers wait for it. */
class ClosingTest {
  private static final CloseReport REPORT = new CloseReport(1, 2, 3);

  private final Closing closing = new Closing();

  private static Deadline in(Duration time) {
    return Deadline.after(time, TimeSource.system());
  }

  private static Deadline longEnough() {
    return in(Duration.ofMinutes(5));
  }

  @Test
  void theWorkIsDoneOnceAndItsReportIsGivenToAll() {
    AtomicInteger done = new AtomicInteger();
    assertThat(closing.isClosing()).isFalse();
    for (int i = 0; i < 3; i++) {
      CloseReport report =
          closing.close(
              longEnough(),
              () -> {
                done.incrementAndGet();
                return REPORT;
              });
      assertThat(report).isEqualTo(REPORT);
      assertThat(closing.isClosed()).isTrue();
    }
    assertThat(done).hasValue(1);
  }

  @Test
  void aSecondCallerWaitsForTheFirst() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    FutureTask<CloseReport> first =
        started(
            () -> {
              begun.countDown();
              awaitQuietly(goOn);
              return REPORT;
            });
    begun.await();
    assertThat(closing.isClosing()).isTrue();
    assertThat(closing.isClosed()).isFalse();
    FutureTask<CloseReport> second = started(() -> CloseReport.CLEAN);
    assertThat(closing.close(in(Duration.ofMillis(20)), () -> CloseReport.CLEAN))
        .as("one that does not wait for the end learns that it goes on")
        .isEqualTo(new CloseReport(0, 1, 0));
    assertThat(second).isNotDone();
    goOn.countDown();
    assertThat(first.get()).isEqualTo(REPORT);
    assertThat(second.get()).isEqualTo(REPORT);
  }

  @Test
  void aCallFromInsideTheWorkDoesNotWaitForItself() {
    CloseReport report =
        closing.close(
            longEnough(),
            () -> {
              closing.close(longEnough(), () -> CloseReport.CLEAN);
              return REPORT;
            });
    assertThat(report).isEqualTo(REPORT);
  }

  @Test
  void workThatFailsIsNotRepeatedAndLeavesNobodyWaiting() {
    IllegalStateException defect = new IllegalStateException("defect");
    assertThatThrownBy(
            () ->
                closing.close(
                    longEnough(),
                    () -> {
                      throw defect;
                    }))
        .isSameAs(defect);
    assertThat(closing.close(longEnough(), () -> REPORT).isClean()).isFalse();
  }

  private FutureTask<CloseReport> started(java.util.function.Supplier<CloseReport> work) {
    FutureTask<CloseReport> task = new FutureTask<>(() -> closing.close(longEnough(), work));
    new Thread(task).start();
    return task;
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
