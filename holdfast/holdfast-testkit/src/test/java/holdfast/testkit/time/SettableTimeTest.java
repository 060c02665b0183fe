package holdfast.testkit.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.time.Alarm;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SettableTimeTest {

  private final SettableTime time = new SettableTime();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void endThreads() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  private <T> Future<T> inAnotherThread(Callable<T> task) {
    return threads.submit(task);
  }

  @Nested
  class TheClock {

    @Test
    void standsStillAtItsStart() {
      assertThat(time.instant()).isEqualTo(SettableTime.START);
      assertThat(new SettableTime(Instant.EPOCH).instant()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void movesBothReadingsWhenTimePasses() {
      long before = time.nanoTime();
      time.advance(Duration.ofMillis(1500));
      assertThat(time.instant()).isEqualTo(SettableTime.START.plusMillis(1500));
      assertThat(time.nanoTime() - before).isEqualTo(1_500_000_000L);
    }

    @Test
    void jumpsWithoutTimePassing() {
      long before = time.nanoTime();
      time.setInstant(SettableTime.START.minusSeconds(3600));
      assertThat(time.instant()).isEqualTo(SettableTime.START.minusSeconds(3600));
      assertThat(time.nanoTime()).isEqualTo(before);
    }

    @Test
    void refusesToGoBackByAdvancing() {
      assertThatThrownBy(() -> time.advance(Duration.ofNanos(-1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must not be negative but was PT-0.000000001S");
    }

    @Test
    void refusesToGoFurtherThanItCanCountAndStaysWhereItIs() {
      Instant instant = time.instant();
      long nanos = time.nanoTime();
      for (Duration tooFar :
          List.of(
              Duration.ofSeconds(Long.MAX_VALUE), Duration.ofNanos(Long.MAX_VALUE).plusNanos(1))) {
        assertThatThrownBy(() -> time.advance(tooFar))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("292 years of the start but was " + tooFar);
      }
      assertThat(time.instant()).isEqualTo(instant);
      assertThat(time.nanoTime()).isEqualTo(nanos);
    }
  }

  @Nested
  class AnAlarm {

    private final Alarm alarm = time.newAlarm();

    @Test
    void doesNotWaitWhenToldOnlyToLook() throws InterruptedException {
      assertThat(alarm.await(Duration.ZERO)).isFalse();
      assertThat(alarm.await(Duration.ofSeconds(-1))).isFalse();
      alarm.ring();
      assertThat(alarm.await(Duration.ZERO)).isTrue();
    }

    @Test
    void remembersManyRingsAsOne() throws InterruptedException {
      alarm.ring();
      alarm.ring();
      assertThat(alarm.await(Duration.ofDays(1))).isTrue();
      assertThat(alarm.await(Duration.ZERO)).isFalse();
    }

    @Test
    void sleepsUntilItsTimeHasCome() throws Exception {
      Future<Boolean> rang = inAnotherThread(() -> alarm.await(Duration.ofSeconds(10)));
      time.awaitSleepers(1);
      time.advance(Duration.ofSeconds(9));
      time.awaitSleepers(1);
      assertThat(rang.isDone()).isFalse();
      time.advance(Duration.ofSeconds(1));
      assertThat(rang.get()).isFalse();
    }

    @Test
    void isNotWokenByTheTimeOfDay() throws Exception {
      Future<Boolean> rang = inAnotherThread(() -> alarm.await(Duration.ofSeconds(10)));
      time.awaitSleepers(1);
      time.setInstant(SettableTime.START.plusSeconds(3600));
      time.awaitSleepers(1);
      assertThat(rang.isDone()).isFalse();
      alarm.ring();
      assertThat(rang.get()).isTrue();
    }

    @Test
    void canWaitForever() throws Exception {
      time.advance(Duration.ofHours(1));
      Future<Boolean> rang = inAnotherThread(() -> alarm.await(Duration.ofSeconds(Long.MAX_VALUE)));
      time.awaitSleepers(1);
      time.advance(Duration.ofDays(10_000));
      time.awaitSleepers(1);
      alarm.ring();
      assertThat(rang.get()).isTrue();
    }

    @Test
    void wakesOnlyWhoWaitsOnIt() throws Exception {
      Alarm other = time.newAlarm();
      Future<Boolean> mine = inAnotherThread(() -> alarm.await(Duration.ofSeconds(1)));
      Future<Boolean> others = inAnotherThread(() -> other.await(Duration.ofSeconds(1)));
      time.awaitSleepers(2);
      alarm.ring();
      assertThat(mine.get()).isTrue();
      time.awaitSleepers(1);
      time.advance(Duration.ofSeconds(1));
      assertThat(others.get()).isFalse();
    }

    @Test
    void endsWithAnInterrupt() throws Exception {
      CompletableFuture<Thread> sleeper = new CompletableFuture<>();
      Future<Boolean> rang =
          inAnotherThread(
              () -> {
                sleeper.complete(Thread.currentThread());
                return alarm.await(Duration.ofSeconds(1));
              });
      time.awaitSleepers(1);
      sleeper.get().interrupt();
      assertThatThrownBy(rang::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(InterruptedException.class);
      alarm.ring();
      assertThat(alarm.await(Duration.ZERO)).isTrue();
    }
  }

  @Test
  void doesNotTakeAThreadThatWasWokenForOneThatSleeps() throws Exception {
    Alarm alarm = time.newAlarm();
    AtomicInteger rounds = new AtomicInteger();
    Future<Object> worker =
        inAnotherThread(
            () -> {
              while (!alarm.await(Duration.ofSeconds(1))) {
                rounds.incrementAndGet();
              }
              return null;
            });
    for (int round = 1; round <= 1_000; round++) {
      time.awaitSleepers(1);
      time.advance(Duration.ofSeconds(1));
      time.awaitSleepers(1);
      assertThat(rounds).hasValue(round);
    }
    alarm.ring();
    assertThat(worker.get()).isNull();
  }

  @Test
  void wakesManyThreadsEachAtItsTime() throws Exception {
    List<Future<Boolean>> sleepers = new ArrayList<>();
    for (int seconds = 1; seconds <= 20; seconds++) {
      Duration timeout = Duration.ofSeconds(seconds);
      sleepers.add(inAnotherThread(() -> time.newAlarm().await(timeout)));
    }
    time.awaitSleepers(20);
    for (int seconds = 1; seconds <= 20; seconds++) {
      time.advance(Duration.ofSeconds(1));
      assertThat(sleepers.get(seconds - 1).get()).isFalse();
      assertThat(sleepers.subList(seconds, 20)).noneMatch(Future::isDone);
    }
  }

  @Test
  void saysHowManySleepersItMissed() {
    SettableTime impatient = new SettableTime(SettableTime.START, Duration.ofMillis(10));
    assertThatThrownBy(() -> impatient.awaitSleepers(1))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("at least 1 threads must wait")
        .hasMessageContaining("but 0 did after PT0.01S");
  }
}
