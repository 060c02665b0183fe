package holdfast.testkit.net;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The state of the simulated network: whether bytes may pass, and how late.
 *
 * <p>Safe for use by many threads; every field is guarded by this object's monitor.
 */
final class Line {

  private enum State {
    FLOWING,
    STALLED,
    CUT
  }

  private State state = State.FLOWING;
  private Duration delay = Duration.ZERO;

  synchronized void delay(Duration each) {
    delay = each;
    notifyAll();
  }

  synchronized void stall() {
    state = State.STALLED;
  }

  synchronized void cut() {
    state = State.CUT;
    notifyAll();
  }

  synchronized void mend() {
    state = State.FLOWING;
    delay = Duration.ZERO;
    notifyAll();
  }

  synchronized boolean isCut() {
    return state == State.CUT;
  }

  /** Lets everybody who waits look again whether its connection has ended. */
  synchronized void wake() {
    notifyAll();
  }

  /**
   * Waits while the line is stalled.
   *
   * @return whether the connection is still wanted
   */
  synchronized boolean awaitFlow(BooleanSupplier ended) throws InterruptedException {
    while (state == State.STALLED && !ended.getAsBoolean()) {
      wait();
    }
    return !ended.getAsBoolean();
  }

  /**
   * Waits until what arrived at the given reading of the nano clock may go on.
   *
   * @return whether the connection is still wanted
   */
  synchronized boolean awaitPassage(long arrived, BooleanSupplier ended)
      throws InterruptedException {
    while (awaitFlow(ended)) {
      long left = delay.toNanos() - (System.nanoTime() - arrived);
      if (left <= 0) {
        return true;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return false;
  }
}
