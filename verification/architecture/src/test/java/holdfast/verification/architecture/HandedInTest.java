package holdfast.verification.architecture;

import static holdfast.verification.architecture.HandedIn.TIME_AND_THREADS_COME_FROM_THE_SHARED_CORE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule about time and threads is shown each way to get at them, and the ways that are fine. */
class HandedInTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Instant.now()",
        "LocalDate.now(ZoneId.of(\"Z\"))",
        "LocalDateTime.now()",
        "ZonedDateTime.now()",
        "(Supplier<Instant>) Instant::now",
        "(Supplier<Instant>) () -> Instant.now()",
        "Clock.systemUTC()",
        "Clock.system(ZoneId.of(\"Z\"))",
        "Clock.tickSeconds(ZoneId.of(\"Z\"))",
        "InstantSource.system()",
        "System.currentTimeMillis()",
        "System.nanoTime()",
        "new Date()",
        "Calendar.getInstance()",
      })
  void whoReadsTheClockIsNamed(String expression) {
    assertThat(in("outbox.poller", expression).breaking(TIME_AND_THREADS_COME_FROM_THE_SHARED_CORE))
        .singleElement()
        .asString()
        .contains("outbox.poller.A", "TimeSource");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sleep(() -> Thread.sleep(1))",
        "sleep(() -> TimeUnit.SECONDS.sleep(1))",
        "sleep(() -> LockSupport.parkNanos(1))",
        "sleep(() -> LockSupport.parkUntil(1))",
      })
  void whoSleepsIsNamed(String expression) {
    assertThat(
            in("holdfast.retry", expression).breaking(TIME_AND_THREADS_COME_FROM_THE_SHARED_CORE))
        .singleElement()
        .asString()
        .contains("holdfast.retry.A", "Alarm");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "new Thread(() -> {})",
        "new Thread() {}",
        "(ThreadFactory) Thread::new",
        "new Timer()",
        "Executors.newCachedThreadPool()",
        "Executors.newFixedThreadPool(2)",
        "Executors.defaultThreadFactory()",
        "new ThreadPoolExecutor(1, 1, 1, TimeUnit.DAYS, new LinkedBlockingQueue<>())",
        "new ScheduledThreadPoolExecutor(1)",
        "new ForkJoinPool()",
        "ForkJoinPool.commonPool()",
        "CompletableFuture.runAsync(() -> {})",
        "new CompletableFuture<String>().thenRunAsync(() -> {})",
        "new CompletableFuture<String>().orTimeout(1, TimeUnit.DAYS)",
        "List.of().parallelStream()",
        "Stream.of().parallel()",
      })
  void whoMakesOrBorrowsAThreadIsNamed(String expression) {
    assertThat(in("tracer.drain", expression).breaking(TIME_AND_THREADS_COME_FROM_THE_SHARED_CORE))
        .singleElement()
        .asString()
        .contains("tracer.drain.A", "holdfast.lifecycle");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ofVirtual", "ofPlatform", "startVirtualThread"})
  void theThreadsOfNewerJdksAreKnownByName(String method) {
    assertThat(UnwantedCalls.objection("java.lang.Thread", method, List.of())).isPresent();
  }

  @Test
  void theExecutorsOfNewerJdksAreKnownByName() {
    String owner = "java.util.concurrent.Executors";
    List<String> factory = List.of("java.util.concurrent.ThreadFactory");

    assertThat(UnwantedCalls.objection(owner, "newVirtualThreadPerTaskExecutor", List.of()))
        .isPresent();
    assertThat(UnwantedCalls.objection(owner, "newThreadPerTaskExecutor", factory)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Instant.now(Clock.fixed(Instant.EPOCH, ZoneId.of(\"Z\")))",
        "new Date(0)",
        "Executors.newFixedThreadPool(2, run -> null)",
        "new ScheduledThreadPoolExecutor(1, run -> null)",
        "CompletableFuture.runAsync(() -> {}, Runnable::run)",
        "Thread.currentThread()",
        "sleep(() -> new Semaphore(0).tryAcquire(1, TimeUnit.SECONDS))",
        "System.lineSeparator()",
      })
  void timeAndThreadsThatAreHandedInAreFine(String expression) {
    assertThat(in("outbox.poller", expression).breaking(TIME_AND_THREADS_COME_FROM_THE_SHARED_CORE))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"holdfast.time", "holdfast.lifecycle", "holdfast.testkit.db"})
  void theSharedCoresOwnMakersMayDoIt(String packageName) {
    assertThat(
            in(packageName, "Instant.now()").breaking(TIME_AND_THREADS_COME_FROM_THE_SHARED_CORE))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"holdfast.time.zone", "holdfast.id", "holdfast.jdbc"})
  void theRestOfTheSharedModulesMayNot(String packageName) {
    assertThat(
            in(packageName, "Instant.now()").breaking(TIME_AND_THREADS_COME_FROM_THE_SHARED_CORE))
        .isNotEmpty();
  }

  private static Sources in(String packageName, String expression) {
    return Sources.of(
        packageName.replace('.', '/') + "/A.java",
        """
        package %s;
        import java.time.*;
        import java.util.*;
        import java.util.concurrent.*;
        import java.util.concurrent.locks.*;
        import java.util.function.*;
        import java.util.stream.*;
        class A {
          final Object found = %s;

          interface Nap {
            void take() throws InterruptedException;
          }

          static Object sleep(Nap nap) {
            return nap;
          }
        }
        """
            .formatted(packageName, expression));
  }
}
