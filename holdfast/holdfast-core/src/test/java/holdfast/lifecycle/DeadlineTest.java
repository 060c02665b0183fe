package holdfast.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.time.StoppedTime;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeadlineTest {
  private final StoppedTime time = new StoppedTime();

  @Test
  void eachStageGetsWhatTheOnesBeforeItLeft() {
    Deadline deadline = Deadline.after(Duration.ofSeconds(10), time);
    assertThat(deadline.remaining()).isEqualTo(Duration.ofSeconds(10));
    time.advance(Duration.ofSeconds(7));
    assertThat(deadline.remaining()).isEqualTo(Duration.ofSeconds(3));
    assertThat(deadline.isOver()).isFalse();
    time.advance(Duration.ofSeconds(3));
    assertThat(deadline.isOver()).isTrue();
    time.advance(Duration.ofDays(1));
    assertThat(deadline.remaining()).isZero();
  }

  @Test
  void takesTheLongestAndTheShortestDuration() {
    assertThat(Deadline.after(Duration.ofSeconds(Long.MAX_VALUE), time).remaining())
        .isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
    for (long seconds : new long[] {-1, Long.MIN_VALUE}) {
      Deadline past = Deadline.after(Duration.ofSeconds(seconds), time);
      assertThat(past.isOver()).isTrue();
      time.advance(Duration.ofNanos(1));
      assertThat(past.isOver()).isTrue();
    }
  }

  @Test
  void waitsForALatch() throws InterruptedException {
    CountDownLatch latch = new CountDownLatch(1);
    assertThat(Deadline.after(Duration.ofMillis(1), TimeSource.system()).await(latch)).isFalse();
    latch.countDown();
    assertThat(Deadline.after(Duration.ZERO, TimeSource.system()).await(latch)).isTrue();
  }

  @Test
  void waitsOnAnInterruptedThreadTooIfAskedTo() {
    CountDownLatch latch = new CountDownLatch(1);
    Thread opener = Threads.daemon("opener").newThread(latch::countDown);
    Thread.currentThread().interrupt();
    opener.start();
    boolean open =
        Deadline.after(Duration.ofSeconds(30), TimeSource.system()).awaitUninterruptibly(latch);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(open).isTrue();
  }

  @Test
  void waitsForAThreadButNotForeverWhenTheTimeIsOver() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    Thread thread = Threads.daemon("waiting").newThread(() -> awaitQuietly(end));
    thread.start();
    assertThat(Deadline.after(Duration.ZERO, TimeSource.system()).join(thread)).isFalse();
    assertThat(Deadline.after(Duration.ofNanos(1), TimeSource.system()).join(thread)).isFalse();
    end.countDown();
    assertThat(Deadline.after(Duration.ofSeconds(30), TimeSource.system()).join(thread)).isTrue();
  }

  @Test
  void waitsForAnExecutor() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    ExecutorService executor = Executors.newSingleThreadExecutor(Threads.daemon("executor"));
    executor.execute(() -> awaitQuietly(end));
    executor.shutdown();
    assertThat(Deadline.after(Duration.ofMillis(1), TimeSource.system()).awaitTermination(executor))
        .isFalse();
    end.countDown();
    assertThat(
            Deadline.after(Duration.ofSeconds(30), TimeSource.system()).awaitTermination(executor))
        .isTrue();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
