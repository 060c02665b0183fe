package holdfast.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How a loop ends. */
class LoopClosingTest extends StartedLoops {

  @Test
  void closingItEndsTheWaitAndTheThread() throws Exception {
    AtomicReference<Thread> thread = new AtomicReference<>();
    Loop loop =
        started(
            () -> {
              thread.set(Thread.currentThread());
              return LONG;
            });
    time.nextWait();
    assertThat(loop.isClosed()).isFalse();
    assertThat(loop.close(Duration.ofSeconds(30))).isTrue();
    assertThat(thread.get().isAlive()).isFalse();
    assertThat(loop.isClosed()).isTrue();
    assertThat(loop.close(Duration.ofSeconds(30))).isTrue();
    assertThat(steps).hasValue(1);
    assertThatThrownBy(loop::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("walk is closed");
  }

  @Test
  void aLoopThatWasNeverStartedCanBeClosed() {
    Loop loop = new Loop("walk", CEILING, () -> LONG, failures::add, time);
    assertThat(loop.close(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void closingItWaitsForTheStepUnderWayAndTakesNoOther() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Loop loop =
        started(
            CEILING,
            () -> {
              entered.countDown();
              leave.await();
              return Duration.ZERO;
            },
            TimeSource.system());
    entered.await();
    Thread closer = Threads.daemon("closer").newThread(() -> loop.close(Duration.ofSeconds(30)));
    closer.start();
    while (!loop.isClosed()) {
      Thread.onSpinWait();
    }
    closer.join(20);
    assertThat(closer.isAlive()).isTrue();
    leave.countDown();
    closer.join();
    assertThat(steps).hasValue(1);
    assertThat(failures).as("not interrupted").isEmpty();
  }

  @Test
  void aStepThatOutlastsTheCloseIsInterrupted() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    Semaphore never = new Semaphore(0);
    Loop loop =
        started(
            CEILING,
            () -> {
              entered.countDown();
              never.acquire();
              return LONG;
            },
            TimeSource.system());
    entered.await();
    loop.close(Duration.ofMillis(1));
    awaitEnd(loop);
    assertThat(failures).singleElement().isInstanceOf(InterruptedException.class);
    assertThat(steps).hasValue(1);
  }

  @Test
  void aCloserWhoIsInterruptedHurriesTheStepAndStaysInterrupted() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    Semaphore never = new Semaphore(0);
    Loop loop =
        started(
            CEILING,
            () -> {
              entered.countDown();
              never.acquire();
              return LONG;
            },
            TimeSource.system());
    entered.await();
    Thread.currentThread().interrupt();
    loop.close(Duration.ofSeconds(30));
    assertThat(Thread.interrupted()).isTrue();
    awaitEnd(loop);
    assertThat(failures).singleElement().isInstanceOf(InterruptedException.class);
  }

  @Test
  void aStepCanCloseItsOwnLoop() throws Exception {
    AtomicReference<Loop> loop = new AtomicReference<>();
    BlockingQueue<Boolean> ended = new LinkedBlockingQueue<>();
    CountDownLatch set = new CountDownLatch(1);
    loop.set(
        started(
            () -> {
              set.await();
              ended.add(loop.get().close(Duration.ofDays(1)));
              return Duration.ZERO;
            }));
    set.countDown();
    assertThat(ended.poll(30, TimeUnit.SECONDS)).isFalse();
    awaitEnd(loop.get());
    assertThat(steps).hasValue(1);
  }
}
