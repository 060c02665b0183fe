package failover;

import failover.FailoversBuilder.Schedule;
import failover.observe.internal.StateLog;
import failover.store.FailoverStoreException;
import failover.store.ReferentialPayload;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Loop;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** What is done again and again: sweeps and reports, each on a thread of its own. */
final class BackgroundTasks {
  /** Schedules say themselves when; this is for a loop that wants to know. */
  private static final Duration CEILING = Duration.ofDays(3_650);

  private final List<Loop> loops;
  private final TimeSource time;

  BackgroundTasks(FailoversBuilder builder, Failovers failovers) {
    this.time = builder.time;
    Loop sweep =
        loop(
            "failover-sweep",
            builder.sweeps,
            wait -> builder.store.sweep(ReferentialPayload.inMicros(time.instant()), wait),
            "sweep expired answers");
    this.loops =
        builder.publishers.isEmpty()
            ? List.of(sweep)
            : List.of(
                sweep,
                loop("failover-report", builder.reports, wait -> failovers.observe(), "report"));
  }

  /** At once, and then as the schedule says, also after a failure. */
  private Loop loop(String name, Schedule schedule, Consumer<Duration> chore, String what) {
    StateLog log = new StateLog(time);
    return new Loop(
        name,
        CEILING,
        () -> {
          Duration wait = schedule.waitFrom(time.instant());
          try {
            chore.accept(wait);
            log.well(() -> "failover can " + what + " again");
          } catch (RuntimeException | Error e) { // the next time it may go well
            log.trouble(() -> "failover cannot " + what + FailoverStoreException.reason(e), e);
          }
          return wait;
        },
        e -> log.trouble(() -> "failover has no schedule to " + what, e),
        time);
  }

  void start() {
    loops.forEach(Loop::start);
  }

  void close(Duration timeout) {
    Deadline deadline = Deadline.after(timeout, time);
    loops.forEach(loop -> loop.close(deadline.remaining()));
  }
}
