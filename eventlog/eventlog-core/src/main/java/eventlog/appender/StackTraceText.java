package eventlog.appender;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A stack trace as the JDK prints it, with its causes and suppressed exceptions, cut off at a
 * number of characters. Confined to one call.
 */
final class StackTraceText {
  private static final StackTraceElement[] NO_FRAMES = {};

  private final int maxLength;
  private final StringBuilder text = new StringBuilder();
  private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private StackTraceText(int maxLength) {
    this.maxLength = maxLength;
  }

  static String of(Throwable thrown, int maxLength) {
    StackTraceText trace = new StackTraceText(maxLength);
    trace.append(thrown, "", "", NO_FRAMES);
    return BoundedText.cut(trace.text.toString(), maxLength);
  }

  /** Whether there is more than fits; it is cut off in the end. */
  private boolean isFull() {
    return text.length() > maxLength;
  }

  private void append(
      @Nullable Throwable thrown, String indent, String title, StackTraceElement[] around) {
    if (thrown == null || isFull()) {
      return;
    }
    if (!seen.add(thrown)) {
      line(indent, title + "[circular reference: " + thrown.getClass().getName() + "]");
      return;
    }
    line(indent, title + described(thrown));
    StackTraceElement[] frames = thrown.getStackTrace();
    int own = frames.length - common(frames, around);
    for (int i = 0; i < own && !isFull(); i++) {
      line(indent, "\tat " + frames[i]);
    }
    if (own < frames.length) {
      line(indent, "\t... " + (frames.length - own) + " more");
    }
    for (Throwable suppressed : thrown.getSuppressed()) {
      append(suppressed, indent + "\t", "Suppressed: ", frames);
    }
    append(thrown.getCause(), indent, "Caused by: ", frames);
  }

  private void line(String indent, String line) {
    text.append(indent).append(line).append('\n');
  }

  private String described(Throwable thrown) {
    String message = BoundedText.of(thrown::getLocalizedMessage, maxLength);
    String type = thrown.getClass().getName();
    return message == null ? type : type + ": " + message;
  }

  /** How many frames two traces have in common at their ends. */
  private static int common(StackTraceElement[] inner, StackTraceElement[] around) {
    int count = 0;
    while (count < inner.length
        && count < around.length
        && inner[inner.length - 1 - count].equals(around[around.length - 1 - count])) {
      count++;
    }
    return count;
  }
}
