package benchmarks.tracer;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/** A thread that reads what there is, and lets others run when there is nothing. */
final class Consumer implements AutoCloseable {
  private final AtomicLong taken = new AtomicLong();
  private final IntSupplier readAll;
  private final Thread thread = new Thread(this::run, "consumer");
  private volatile boolean stopped;

  /**
   * Starts the thread.
   *
   * @param readAll reads what there is and says how much that was
   */
  Consumer(IntSupplier readAll) {
    this.readAll = readAll;
    thread.setDaemon(true);
    thread.start();
  }

  @SuppressWarnings("ThreadPriorityCheck") // what the references do, too
  private void run() {
    while (!stopped) {
      int count = readAll.getAsInt();
      if (count > 0) {
        taken.setRelease(taken.getPlain() + count);
      } else {
        Thread.yield();
      }
    }
  }

  long taken() {
    return taken.get();
  }

  @Override
  public void close() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
