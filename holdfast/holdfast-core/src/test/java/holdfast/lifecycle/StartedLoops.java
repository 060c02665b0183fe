package holdfast.lifecycle;

import holdfast.time.TimeSource;
import holdfast.time.WatchedTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Loops that a test starts, on a clock that shows how long they want to wait. */
@Timeout(60)
abstract class StartedLoops {
  static final Duration CEILING = Duration.ofSeconds(10);
  static final Duration LONG = Duration.ofDays(36_500);

  final WatchedTime time = new WatchedTime();
  final AtomicInteger steps = new AtomicInteger();
  final List<Exception> failures = new CopyOnWriteArrayList<>();
  final List<Loop> made = new CopyOnWriteArrayList<>();

  @AfterEach
  void closeAll() {
    made.forEach(loop -> loop.close(Duration.ofSeconds(30)));
  }

  final Loop started(Duration ceiling, Loop.Step step, TimeSource clock) {
    Loop loop =
        new Loop(
            "walk",
            ceiling,
            () -> {
              steps.incrementAndGet();
              return step.take();
            },
            failures::add,
            clock);
    made.add(loop);
    loop.start();
    return loop;
  }

  final Loop started(Loop.Step step) {
    return started(CEILING, step, time);
  }

  static void awaitEnd(Loop loop) {
    while (!loop.close(Duration.ZERO)) {
      Thread.onSpinWait();
    }
  }
}
