package holdfast.http;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Threads;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client of the JDK whose threads and connections can be ended. Safe for use by many
 * threads.
 *
 * <p>From JDK 21 on the client itself can be closed. An older one keeps its selector thread until
 * the garbage collector has found the client unused. That thread also ends, and closes its
 * connections, when it is interrupted. To find it, the client is built on a thread of a thread
 * group in which nobody else builds one.
 */
final class OwnedHttpClient implements AutoCloseable {
  private static final System.Logger LOG = LibraryLogger.of("holdfast");
  private static final ThreadGroup GROUP = new ThreadGroup("holdfast-http-build");
  private static final Object LOCK = new Object();

  /** How long the JDK's client may take to end after it was told to. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** After this time an idle thread ends, so that a client nobody closes leaves few behind. */
  private static final Duration IDLE = Duration.ofSeconds(1);

  private final ThreadFactory threads;
  private final ExecutorService executor;
  private final HttpClient client;
  private final @Nullable Thread selector;

  OwnedHttpClient(ThreadFactory threads, Duration connectTimeout) {
    this.threads = threads;
    this.executor =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE, // as many as the requests under way keep busy
            IDLE.toNanos(),
            TimeUnit.NANOSECONDS,
            new SynchronousQueue<>(),
            threads);
    HttpClient.Builder settings =
        HttpClient.newBuilder().connectTimeout(connectTimeout).executor(executor);
    ThreadFactory inGroup = Threads.daemon(GROUP, "holdfast-http-build");
    synchronized (LOCK) { // one build at a time: then the new selector thread is this client's
      List<Thread> others = selectors();
      this.client =
          CompletableFuture.supplyAsync(settings::build, task -> inGroup.newThread(task).start())
              .join();
      List<Thread> added = selectors();
      added.removeAll(others);
      this.selector = added.size() == 1 ? added.get(0) : null;
    }
  }

  private static List<Thread> selectors() {
    Thread[] threads = new Thread[2 * GROUP.activeCount() + 16];
    int count = GROUP.enumerate(threads, false);
    List<Thread> found = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (threads[i].getName().endsWith("SelectorManager")) {
        found.add(threads[i]);
      }
    }
    return found;
  }

  HttpClient client() {
    return client;
  }

  @Override
  public void close() {
    Object ending = client; // an AutoCloseable from JDK 21 on; this is compiled for 17
    if (ending instanceof AutoCloseable closeable) {
      if (!executor.isShutdown()) {
        end(closeable);
      }
    } else if (selector != null) {
      selector.interrupt();
    }
    executor.shutdownNow();
  }

  private void end(AutoCloseable closeable) {
    Thread ending = threads.newThread(() -> endNow(closeable));
    ending.start();
    try {
      Deadline.after(PATIENCE, TimeSource.system()).join(ending);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // it ends without being waited for
    }
  }

  /** An interrupted close does not wait for requests. */
  private static void endNow(AutoCloseable closeable) {
    Thread.currentThread().interrupt();
    try {
      closeable.close();
    } catch (Exception e) {
      LOG.log(
          WARNING,
          "holdfast HTTP client not closed well, its threads may run until the JVM ends; nothing is"
              + " lost by that, report the exception if it repeats",
          e);
    }
  }
}
