package tracer;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Makes values of events out of what is not a whole number. The event declares which of its
 * arguments are what.
 *
 * <pre>{@code
 * private static final TraceEvent SQL =
 *     TraceEvent.named("sql.query").arg("table", INTERNED_STRING).arg("hit rate", DOUBLE);
 *
 * tracer.index().record(SQL, TraceValue.of("orders"), TraceValue.of(0.25));
 * }</pre>
 *
 * <p>Safe for use by many threads.
 */
public final class TraceValue {
  /*
   * Strings are numbered once in the life of the process and never forgotten, so their number is
   * bounded. A known one costs one look into a table, and nothing is allocated.
   */
  /** How many strings can be interned: {@value}. */
  public static final int MOST_STRINGS = 1 << 14;

  /** How many characters an interned string can have: {@value}. */
  public static final int LONGEST_STRING = 512;

  private static final String ONE_TOO_MANY = "<not interned: more than " + MOST_STRINGS + ">";
  private static final String TOO_LONG =
      "<not interned: more than " + LONGEST_STRING + " characters>";

  private static final ConcurrentMap<String, Interned> BY_TEXT = new ConcurrentHashMap<>();
  private static final AtomicReferenceArray<@Nullable String> BY_NUMBER =
      new AtomicReferenceArray<>(MOST_STRINGS + 2);
  private static final Interned FALLBACK_MANY = new Interned(0);
  private static final Interned FALLBACK_LONG = new Interned(1);
  private static volatile int last = 1; // changed under the monitor of the class

  static {
    BY_NUMBER.set(FALLBACK_MANY.number, ONE_TOO_MANY);
    BY_NUMBER.set(FALLBACK_LONG.number, TOO_LONG);
  }

  private TraceValue() {}

  private record Interned(int number) {}

  /** Returns the value of an argument that is a {@link ArgumentType#DOUBLE}. */
  public static long of(double value) {
    return Double.doubleToRawLongBits(value);
  }

  /** Returns the value of an argument that is a {@link ArgumentType#BOOLEAN}. */
  public static long of(boolean value) {
    return value ? 1 : 0;
  }

  /**
   * Returns the value of an argument that is an {@link ArgumentType#INTERNED_STRING}. A string that
   * was seen before costs one look into a table. The first {@value #MOST_STRINGS} strings of the
   * process are kept for ever, so they must be few: names of tables, not of customers. Later ones
   * and those with more than {@value #LONGEST_STRING} characters are shown as "not interned".
   */
  public static long of(String text) {
    Interned known = BY_TEXT.get(text);
    return known != null ? known.number : intern(text).number;
  }

  private static Interned intern(String text) {
    if (text.length() > LONGEST_STRING) {
      return FALLBACK_LONG;
    }
    if (last == MOST_STRINGS + 1) { // without the monitor: this may be each call from now on
      return FALLBACK_MANY;
    }
    synchronized (TraceValue.class) {
      Interned known = BY_TEXT.get(text);
      if (known != null) {
        return known;
      }
      if (last == MOST_STRINGS + 1) {
        return FALLBACK_MANY;
      }
      Interned added = new Interned(last + 1);
      BY_NUMBER.set(added.number, text);
      BY_TEXT.put(text, added);
      last = added.number;
      return added;
    }
  }

  /**
   * Returns the string that a value stands for.
   *
   * @param value what {@link #of(String)} returned
   * @throws IllegalArgumentException if it stands for none
   */
  public static String string(long value) {
    String text = value < 0 || value > MOST_STRINGS + 1 ? null : BY_NUMBER.get((int) value);
    if (text == null) {
      throw new IllegalArgumentException(
          "value must stand for an interned string but was "
              + value
              + "; record it with TraceValue.of(String)");
    }
    return text;
  }

  /** Returns whether a value stands for an interned string. */
  public static boolean isString(long value) {
    return value >= 0 && value <= MOST_STRINGS + 1 && BY_NUMBER.get((int) value) != null;
  }
}
