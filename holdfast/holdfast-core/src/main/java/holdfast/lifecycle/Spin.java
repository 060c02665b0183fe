package holdfast.lifecycle;

import java.util.concurrent.locks.LockSupport;

/**
 * For who tries again and again what keeps others only for a few steps. Stateless.
 *
 * <pre>{@code
 * for (int tries = 0; !lock.tryLock(); tries++) {
 *   Spin.giveWay(tries);
 * }
 * }</pre>
 */
public final class Spin {
  private static final int PATIENCE = 200;
  private static final long NAP_NANOS = 20_000;

  private Spin() {}

  /**
   * Lets others go on. Sleeps for some microseconds after many tries: virtual threads that only
   * yield may keep the one they wait for from its processor.
   *
   * @param tries how many there were
   */
  @SuppressWarnings("ThreadPriorityCheck") // only saves time
  public static void giveWay(int tries) {
    if (tries < PATIENCE) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(NAP_NANOS);
    }
  }
}
