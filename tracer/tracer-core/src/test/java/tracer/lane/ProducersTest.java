package tracer.lane;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which thread has which writers, without any of them waiting for another. */
@Timeout(60)
class ProducersTest {
  private final HandOverModelTest.Lanes lanes = new HandOverModelTest.Lanes(12);

  private Producers producers(int count) {
    return new Producers(count, 1, lanes.allocator, TimeSource.system(), SlowSpans.NONE);
  }

  private static List<Thread> threads(int count) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(new Thread(() -> {}));
    }
    return threads;
  }

  /** Producers of which one is free, and a thread that finds both of its places taken. */
  private record Crowded(Producers producers, Thread thread) {}

  private Crowded crowded() {
    List<Thread> threads = threads(200);
    for (Thread thread : threads) {
      for (Thread first : threads) {
        for (Thread second : threads) {
          if ((first.getId() & 31) == (thread.getId() & 31)
              && !first.equals(thread)
              && !second.equals(thread)) {
            Producers producers = producers(3);
            producers.of(first);
            producers.of(second);
            if (producers.of(thread) == null) {
              return new Crowded(producers, thread);
            }
          }
        }
      }
    }
    throw new AssertionError("no thread whose places others have");
  }

  @Test
  void aThreadThatHasFoundNoPlaceWaitsForNobodyWhenItRecordsAgain() throws InterruptedException {
    Crowded crowded = crowded();
    CountDownLatch done = new CountDownLatch(1);
    AtomicReference<Object> found = new AtomicReference<>("not asked");
    synchronized (crowded.producers) {
      new Thread(
              () -> {
                found.set(crowded.producers.of(crowded.thread));
                done.countDown();
              })
          .start();
      assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(found).hasValue(null);
  }

  @Test
  void theProducerThatFoundNoPlaceIsForTheNextThread() {
    Crowded crowded = crowded();
    long withRings =
        threads(200).stream().filter(thread -> crowded.producers.of(thread) != null).count();
    assertThat(withRings).isOne();
  }

  @Test
  void noTwoThreadsHaveTheSameWritersHoweverTheyComeAndGo() throws InterruptedException {
    Producers producers = producers(4);
    ConcurrentMap<Producer, Thread> holders = new ConcurrentHashMap<>();
    AtomicInteger shared = new AtomicInteger();
    AtomicInteger twice = new AtomicInteger();
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      Thread thread =
          new Thread(
              () -> {
                Thread self = Thread.currentThread();
                Producer own = producers.of(self);
                for (int k = 0; k < 100; k++) {
                  Producer again = producers.of(self);
                  own = own == null ? again : own;
                  twice.addAndGet(own == again ? 0 : 1);
                }
                if (own == null) {
                  shared.incrementAndGet();
                } else if (holders.putIfAbsent(own, self) != null) {
                  twice.incrementAndGet();
                }
              });
      thread.start();
      running.add(thread);
      if (running.size() == 8) {
        for (Producer ended : producers.ended()) { // as the drain does
          holders.remove(ended);
          producers.release(ended);
        }
        running.remove(0).join();
      }
    }
    for (Thread thread : running) {
      thread.join();
    }
    assertThat(twice).hasValue(0);
    assertThat(shared.get()).isLessThan(4000);
    producers.ended().forEach(producers::release);
    assertThat(threads(4).stream().filter(thread -> producers.of(thread) != null)).hasSize(4);
  }
}
