package holdfast.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SpinTest {

  @Test
  void whoIsWaitedForGetsAProcessorHoweverManyWait() throws InterruptedException {
    AtomicBoolean done = new AtomicBoolean();
    CountDownLatch ended = new CountDownLatch(50);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      threads.add(
          Threads.virtualIfAvailable("waiting")
              .newThread(
                  () -> {
                    for (int tries = 0; !done.get(); tries++) {
                      Spin.giveWay(tries);
                    }
                    ended.countDown();
                  }));
    }
    threads.forEach(Thread::start);
    Threads.virtualIfAvailable("working").newThread(() -> done.set(true)).start();
    ended.await();
    assertThat(done).isTrue();
  }
}
