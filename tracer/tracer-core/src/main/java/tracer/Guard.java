package tracer;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.lifecycle.Loop;
import holdfast.log.LibraryLogger;
import holdfast.log.ListenerCalls;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import tracer.drain.Rates;
import tracer.lane.Pressure;

/**
 * The thread that speaks: it tells of watermarks and measures rates, so that neither those who
 * record nor a sink that hangs keeps it from being said. Safe for use by many threads.
 */
final class Guard {
  private static final System.Logger LOG = LibraryLogger.of("tracer");
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration LAST_WAIT = Duration.ofSeconds(1);
  private static final Lane[] LANES = Lane.values();

  private final TracerParts parts;
  private final TracerLifecycleListener listener;
  private final ListenerCalls calls;
  private final TimeSource time;
  private final Rates rates;
  private final Loop loop;
  private final Map<Lane, Long> told = new EnumMap<>(Lane.class);
  private final Map<Lane, PressureLog> logs = new EnumMap<>(Lane.class);

  Guard(TracerParts parts, TracerLifecycleListener listener, TimeSource time) {
    this.parts = parts;
    this.listener = listener;
    this.calls = new ListenerCalls("tracer", time);
    this.time = time;
    this.rates = new Rates(new Rates.Counts(0, 0, 0), time.nanoTime());
    for (Lane lane : LANES) {
      logs.put(lane, new PressureLog(lane));
    }
    this.loop = new Loop("tracer-guard", INTERVAL, this::step, this::report, time);
  }

  void start() {
    loop.start();
  }

  void wakeUp() {
    loop.wakeUp();
  }

  Rates.PerSecond rates() {
    return rates.last();
  }

  /** Ends it; a listener that hangs is left alone. */
  void close() {
    if (loop.close(LAST_WAIT)) {
      speak(); // what was crossed while the last events were drained
    }
  }

  private Duration step() {
    speak();
    rates.sample(parts.counts(), time.nanoTime());
    return INTERVAL;
  }

  private void speak() {
    logs.forEach(
        (lane, log) -> {
          Pressure pressure = parts.allocator.pressure(lane);
          long now = time.nanoTime();
          // In turns, as they came: high, low, high, …
          long crossings = pressure.lowCrossings() + pressure.highCrossings();
          for (long next = told.getOrDefault(lane, 0L); next < crossings; next++) {
            told.put(lane, next + 1);
            if (next % 2 == 0) {
              log.raised(now);
              calls.run(() -> listener.pressureRaised(lane));
            } else {
              calls.run(() -> listener.pressureCleared(lane));
            }
          }
          log.look(pressure.isHigh(), now);
        });
  }

  private void report(Exception e) {
    LOG.log(WARNING, "tracer guard failed", e);
  }
}
