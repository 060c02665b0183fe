package failover.execution;

import java.util.concurrent.CountDownLatch;

/** Waits as a hung driver or client does, which no interrupt ends. */
final class Uninterruptibly {
  private Uninterruptibly() {}

  static void await(CountDownLatch latch) {
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
