package tracer;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Threads;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Records what the JVM reports of itself as spans. The JVM reports through its own flight recorder,
 * which takes most of a second to start and may be absent; so a thread of its own starts it, and a
 * JVM without it costs one line in the log. Safe for use by many threads.
 */
final class JvmEvents {
  private static final System.Logger LOG = LibraryLogger.of("tracer");
  private static final Duration LAST_WAIT = Duration.ofSeconds(1);

  private final Duration atLeast;
  private final IndexLane index;
  private final TimeSource time;
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable Thread thread;

  /**
   * Creates what records nothing until it is started.
   *
   * @param atLeast how long something must have taken to be recorded
   * @param index where it is recorded
   * @param time the clock of what is recorded there
   */
  JvmEvents(Duration atLeast, IndexLane index, TimeSource time) {
    this.atLeast = atLeast;
    this.index = index;
    this.time = time;
  }

  void start() {
    thread = Threads.daemon("tracer-jvm-events").newThread(this::run);
    thread.start();
  }

  /** Ends it; what the JVM reports later is not recorded. */
  void close(Deadline deadline) {
    closed.countDown();
    Thread running = thread;
    if (running == null) {
      return;
    }
    try {
      Duration left = deadline.remaining();
      Deadline.after(left.compareTo(LAST_WAIT) < 0 ? left : LAST_WAIT, time).join(running);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try (JvmEventStream stream = new JvmEventStream(atLeast, index, time)) {
      stream.start();
      closed.await();
    } catch (NoClassDefFoundError e) {
      LOG.log(
          WARNING,
          "tracer records no events of the JVM, because this Java runtime has no module jdk.jfr;"
              + " start it with --add-modules jdk.jfr, link it with that module, or do not set"
              + " jvmEvents");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      LOG.log(
          WARNING,
          "tracer records no events of the JVM, because its flight recorder fails; see the cause,"
              + " or do not set jvmEvents",
          e);
    }
  }
}
