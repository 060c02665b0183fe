package holdfast.log;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a throwable whose message could forge a line of the log, or that cannot be printed: the
 * frames of the original, its text on one line, and copies of its causes and of what it suppresses.
 * At most 100 throwables are copied. Safe for use by many threads once it is made.
 */
final class EscapedThrowable extends Throwable {
  private static final long serialVersionUID = 1L;
  private static final int MOST = 100;
  private static final int MAX_TEXT = 10_000;

  private final String text;

  private EscapedThrowable(String text, StackTraceElement[] frames) {
    super(text);
    this.text = text;
    setStackTrace(frames);
  }

  /** Returns the throwable if a logger can print it as it is, otherwise a copy. */
  static @Nullable Throwable of(@Nullable Throwable thrown) {
    return thrown == null || isPrintable(thrown) ? thrown : new Copies().of(thrown);
  }

  /** Returns the text alone, which names the class of the original. */
  @Override
  @SuppressWarnings("OverrideThrowableToString")
  public String toString() {
    return text;
  }

  private static boolean isPrintable(Throwable thrown) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Throwable> left = new ArrayDeque<>();
    left.add(thrown);
    try {
      while (!left.isEmpty()) {
        Throwable at = left.remove();
        if (!seen.add(at)) {
          continue;
        }
        if (seen.size() > MOST || printsItself(at) || isForging(at)) {
          return false;
        }
        Throwable cause = at.getCause();
        if (cause != null) {
          left.add(cause);
        }
        left.addAll(List.of(at.getSuppressed()));
      }
      return true;
    } catch (Throwable ofTheThrowable) { // exceptions are the application's code
      return false;
    }
  }

  /** Some loggers print what toString() says, some the message. */
  private static boolean isForging(Throwable thrown) {
    return LogText.isUnsafe(thrown.toString())
        || LogText.isUnsafe(String.valueOf(thrown.getMessage()))
        || thrown.getStackTrace() == null;
  }

  private static boolean printsItself(Throwable thrown) throws NoSuchMethodException {
    return isOverridden(thrown, PrintWriter.class) || isOverridden(thrown, PrintStream.class);
  }

  private static boolean isOverridden(Throwable thrown, Class<?> target)
      throws NoSuchMethodException {
    return thrown.getClass().getMethod("printStackTrace", target).getDeclaringClass()
        != Throwable.class;
  }

  /** The copies of one throwable and of all that it refers to, each made once. */
  private static final class Copies {
    private final IdentityHashMap<Throwable, EscapedThrowable> byOriginal = new IdentityHashMap<>();
    private final Deque<Throwable> left = new ArrayDeque<>();

    EscapedThrowable of(Throwable thrown) {
      EscapedThrowable first = copyOf(thrown);
      while (!left.isEmpty()) {
        link(left.remove());
      }
      return first;
    }

    private void link(Throwable original) {
      EscapedThrowable copy = copyOf(original);
      Throwable cause = LogText.causeOf(original);
      if (cause != null && mayCopy(cause) && !copyOf(cause).equals(copy)) {
        copy.initCause(copyOf(cause));
      }
      for (Throwable suppressed : original.getSuppressed()) {
        if (mayCopy(suppressed)) {
          copy.addSuppressed(copyOf(suppressed));
        }
      }
    }

    private boolean mayCopy(Throwable original) {
      return byOriginal.size() < MOST || byOriginal.containsKey(original);
    }

    private EscapedThrowable copyOf(Throwable original) {
      EscapedThrowable known = byOriginal.get(original);
      if (known != null) {
        return known;
      }
      EscapedThrowable copy = new EscapedThrowable(textOf(original), framesOf(original));
      byOriginal.put(original, copy);
      left.add(original);
      return copy;
    }

    private static String textOf(Throwable original) {
      String text;
      try {
        text = LogText.escape(original.toString());
      } catch (Throwable ofTheText) { // the class and the frames are what is left
        text = original.getClass().getName();
      }
      return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
    }

    private static StackTraceElement[] framesOf(Throwable original) {
      try {
        return original.getStackTrace().clone();
      } catch (Throwable ofTheFrames) {
        return new StackTraceElement[0];
      }
    }
  }
}
