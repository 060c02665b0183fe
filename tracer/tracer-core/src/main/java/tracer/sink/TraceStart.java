package tracer.sink;

import java.time.Instant;

/**
 * One moment on both clocks, by which readings become times of day.
 *
 * @param instant its time of day
 * @param nanoTime the same moment as {@link TraceBatch#time()} shows it
 */
public record TraceStart(Instant instant, long nanoTime) {

  /**
   * The time of day of a reading.
   *
   * @param reading as {@link TraceBatch#time()} shows it
   * @return the time of day
   */
  public Instant instantOf(long reading) {
    return instant.plusNanos(reading - nanoTime);
  }
}
