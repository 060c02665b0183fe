package holdfast.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.time.StoppedTime;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BoundedCallTest {
  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch end = new CountDownLatch(1);

  private static <T> BoundedCall<T> bounded(Callable<T> call, Duration patience) {
    return new BoundedCall<>(Threads.daemon("test-call"), call, patience, TimeSource.system());
  }

  private int hang() throws InterruptedException {
    int number = calls.incrementAndGet();
    end.await();
    return number;
  }

  @Test
  void eachCallIsMadeAnewWhenTheLastHasEnded() throws Exception {
    BoundedCall<Integer> call = bounded(calls::incrementAndGet, Duration.ofMinutes(1));
    assertThat(call.get()).isEqualTo(1);
    assertThat(call.get()).isEqualTo(2);
  }

  @Test
  void aCallThatHangsIsNotWaitedForAndNotRepeated() throws Exception {
    BoundedCall<Integer> call = bounded(this::hang, Duration.ofMillis(50));
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(call::get)
          .isInstanceOf(TimeoutException.class)
          .hasMessageStartingWith("no answer for PT");
    }
    assertThat(calls).hasValue(1);
    end.countDown();
  }

  @Test
  void theWaitCountsFromTheStartOfTheCall() throws Exception {
    StoppedTime time = new StoppedTime();
    BoundedCall<Integer> call =
        new BoundedCall<>(Threads.daemon("test-call"), this::hang, Duration.ofMillis(50), time);
    assertThatThrownBy(call::get).isInstanceOf(TimeoutException.class);
    time.advance(Duration.ofSeconds(90));
    assertThatThrownBy(call::get).hasMessage("no answer for PT1M30S");
    end.countDown();
  }

  @Test
  void whatTheCallThrowsIsThrownAsItIs() {
    IOException failure = new IOException("broken");
    assertThatThrownBy(
            () ->
                bounded(
                        () -> {
                          throw failure;
                        },
                        Duration.ofMinutes(1))
                    .get())
        .isSameAs(failure);
    AssertionError error = new AssertionError("broken");
    assertThatThrownBy(
            () ->
                bounded(
                        () -> {
                          throw error;
                        },
                        Duration.ofMinutes(1))
                    .get())
        .isSameAs(error);
  }
}
