package benchmarks.eventlog;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** How long single calls took that one thread made at a fixed rate. Immutable. */
final class CallTimes {
  private static final int PER_SECOND = 10_000;

  private final long[] nanos; // the shortest first
  private final int refused;

  private CallTimes(long[] nanos, int refused) {
    this.nanos = nanos;
    this.refused = refused;
  }

  /** Makes calls for so long; a call that returns false was refused. */
  static CallTimes of(BooleanSupplier call, Duration length) {
    int count = (int) (length.toSeconds() * PER_SECOND);
    long[] nanos = new long[count];
    long startedAt = System.nanoTime();
    int refused = 0;
    for (int i = 0; i < count; i++) {
      long due = startedAt + i * (TimeUnit.SECONDS.toNanos(1) / PER_SECOND);
      while (System.nanoTime() - due < 0) {
        Thread.onSpinWait();
      }
      long before = System.nanoTime();
      boolean done = call.getAsBoolean();
      nanos[i] = System.nanoTime() - before;
      refused += done ? 0 : 1;
    }
    Arrays.sort(nanos);
    return new CallTimes(nanos, refused);
  }

  static CallTimes none() {
    return new CallTimes(new long[0], 0);
  }

  /** These calls and others together. */
  CallTimes and(CallTimes others) {
    long[] all = Arrays.copyOf(nanos, nanos.length + others.nanos.length);
    System.arraycopy(others.nanos, 0, all, nanos.length, others.nanos.length);
    Arrays.sort(all);
    return new CallTimes(all, refused + others.refused);
  }

  /** The time in microseconds within which this part of all calls ended. */
  double part(double part) {
    return nanos[Math.min(nanos.length - 1, (int) (nanos.length * part))] / 1e3;
  }

  int count() {
    return nanos.length;
  }

  int refused() {
    return refused;
  }
}
