package tracer;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import holdfast.lifecycle.Loop;
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
  private static final System.Logger LOG = System.getLogger("tracer");
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration LAST_WAIT = Duration.ofSeconds(1);
  private static final Lane[] LANES = Lane.values();

  private final Stages stages;
  private final TracerListener listener;
  private final TimeSource time;
  private final Rates rates;
  private final Loop loop;
  private final Map<Lane, Long> told = new EnumMap<>(Lane.class);

  Guard(Stages stages, TracerListener listener, TimeSource time) {
    this.stages = stages;
    this.listener = listener;
    this.time = time;
    this.rates = new Rates(new Rates.Counts(0, 0, 0), time.nanoTime());
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
    rates.sample(stages.counts(), time.nanoTime());
    return INTERVAL;
  }

  private void speak() {
    for (Lane lane : LANES) {
      Pressure pressure = stages.supply.pressure(lane);
      // In turns, as they came: high, low, high, …
      long crossings = pressure.lowCrossings() + pressure.highCrossings();
      for (long next = told.getOrDefault(lane, 0L); next < crossings; next++) {
        told.put(lane, next + 1);
        speak(lane, next % 2 == 0);
      }
    }
  }

  private void speak(Lane lane, boolean isHigh) {
    try {
      if (isHigh) {
        LOG.log(WARNING, "tracer pressure lane=" + lane + " fill=" + stages.supply.fill(lane));
        listener.pressureRaised(lane);
      } else {
        LOG.log(INFO, "tracer pressure is over lane=" + lane);
        listener.pressureCleared(lane);
      }
    } catch (RuntimeException e) {
      LOG.log(WARNING, "tracer listener failed", e);
    }
  }

  private void report(Exception e) {
    LOG.log(WARNING, "tracer guard failed", e);
  }
}
