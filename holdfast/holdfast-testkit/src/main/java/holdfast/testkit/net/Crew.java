package holdfast.testkit.net;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The daemon threads of one proxy, which can be waited for.
 *
 * <p>A thread is entered after its start and before whoever started it ends, so a look under the
 * lock that finds nobody alive has missed nobody. Safe for use by many threads.
 */
final class Crew {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final List<Thread> threads = new ArrayList<>();

  void launch(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    synchronized (threads) {
      threads.removeIf(known -> !known.isAlive());
      thread.start();
      threads.add(thread);
    }
  }

  /** Waits until every thread has ended; an interrupt ends the wait early and stays noted. */
  void awaitEnd() {
    try {
      for (Optional<Thread> next = anyAlive(); next.isPresent(); next = anyAlive()) {
        awaitEnd(next.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<Thread> anyAlive() {
    synchronized (threads) {
      return threads.stream().filter(Thread::isAlive).findFirst();
    }
  }

  private static void awaitEnd(Thread thread) throws InterruptedException {
    thread.join(PATIENCE.toMillis());
    if (thread.isAlive()) {
      throw new IllegalStateException(
          thread.getName()
              + " must have ended within "
              + PATIENCE
              + " of closing but still runs at "
              + List.of(thread.getStackTrace()));
    }
  }
}
