package tracer;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.Thread.UncaughtExceptionHandler;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Records uncaught exceptions on the critical lane, has a flight recorder dump, and lets the
 * handler that was there before handle them. Safe for use by many threads.
 */
final class Crashes implements UncaughtExceptionHandler {
  static final TraceEvent UNCAUGHT = TraceEvent.named("tracer.uncaught");
  static final TraceEvent SHUTDOWN = TraceEvent.named("tracer.shutdown");
  private static final int MOST_BYTES = 16 * 1024;

  private final int mostBytes;
  private volatile @Nullable Target target; // null when released: it may stay in the line
  private @Nullable UncaughtExceptionHandler before;

  /** Where they are recorded, and who dumps then. */
  private record Target(CriticalLane critical, FlightRecorder recorder) {}

  private Crashes(CriticalLane critical, FlightRecorder recorder, long ringBytes) {
    this.target = new Target(critical, recorder);
    this.mostBytes = (int) Math.min(MOST_BYTES, ringBytes / 2);
  }

  /** Begins to record uncaught exceptions. */
  static Crashes capture(CriticalLane critical, FlightRecorder recorder, long ringBytes) {
    Crashes crashes = new Crashes(critical, recorder, ringBytes);
    crashes.before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(crashes);
    return crashes;
  }

  /** Ends it; stays in the line, but silent, if somebody has come after. */
  void release() {
    target = null;
    if (Thread.getDefaultUncaughtExceptionHandler() == this) {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Override
  public void uncaughtException(Thread thread, Throwable e) {
    try {
      Target found = target;
      if (found != null) {
        found.critical.record(UNCAUGHT, text(thread, e));
        found.recorder.dumpSoon(
            "uncaught " + e.getClass().getName() + " in thread " + thread.getName());
      }
    } finally {
      UncaughtExceptionHandler next = before;
      if (next != null) {
        next.uncaughtException(thread, e);
      } else {
        print(thread, e);
      }
    }
  }

  /** As the JVM does when nobody handles it. */
  @SuppressWarnings("SystemOut")
  private static void print(Thread thread, Throwable e) {
    System.err.print("Exception in thread \"" + thread.getName() + "\" ");
    e.printStackTrace(System.err);
  }

  private byte[] text(Thread thread, Throwable e) {
    StringWriter text = new StringWriter();
    text.write("thread " + thread.getName() + "\n");
    e.printStackTrace(new PrintWriter(text, true));
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    return bytes.length <= mostBytes ? bytes : Arrays.copyOf(bytes, wholeCharacters(bytes));
  }

  /** The most bytes that do not end in the middle of a character. */
  private int wholeCharacters(byte[] bytes) {
    int end = mostBytes;
    while (end > 0 && (bytes[end] & 0xC0) == 0x80) {
      end--;
    }
    return end;
  }
}
