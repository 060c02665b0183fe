package holdfast.work;

import java.time.Duration;
import java.util.function.IntFunction;

/**
 * What becomes of an event whose handler failed. Immutable.
 *
 * @param maxAttempts how many failed attempts make it dead
 * @param backoff how long to wait after so many failures
 */
public record Retries(int maxAttempts, IntFunction<Duration> backoff) {}
