package tracer.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * How a record lies in the words of a ring.
 *
 * <pre>
 * word 0  phase (4 bits) | virtual (1) | numbers (3) | depth (7) | event (17) | thread (32)
 * word 1  time
 * then    as many numbers as word 0 says; or the number of bytes, and the bytes, eight to a word
 * </pre>
 *
 * <p>The numbers of a record are its values; before them, where the phase has one, the begin of the
 * span or the id. A record with two numbers takes as many words as one with three, so that a ring
 * holds the same number of such events whatever they are. Stateless.
 */
public final class RecordFormat {
  /** The words that a ring has for each event it must hold: those of three values. */
  public static final int VALUE_WORDS = 5;

  /** The bytes of a record with two or three values. */
  public static final int VALUE_BYTES = VALUE_WORDS * Long.BYTES;

  /** The words of the smallest record. */
  public static final int LEAST_WORDS = 2;

  /** The words of a record before its values. */
  public static final int VALUES_HEAD = 2;

  /** The words of a record with bytes before the first of them. */
  public static final int BYTES_HEAD = 3;

  /** The most values of an event. */
  public static final int MOST_VALUES = 4;

  /** The most numbers of a record. */
  public static final int MOST_NUMBERS = MOST_VALUES + 1;

  /** The greatest depth of a span that a record can have; 0 says that it is not known. */
  public static final int MOST_DEPTH = 127;

  /** Nothing here: the next record is at the start of the ring. */
  static final int SKIP = 0;

  /** A moment: values. */
  public static final int INSTANT = 1 << 4;

  /** A span begins: values. */
  public static final int BEGIN = 2 << 4;

  /** A span ends: when it began; the values it began with, if it was recorded when it was over. */
  public static final int END = 3 << 4;

  /** An asynchronous span begins: its id, values. */
  public static final int ASYNC_BEGIN = 4 << 4;

  /** An asynchronous span ends: its id. */
  public static final int ASYNC_END = 5 << 4;

  /** The value of a counter; its depth is 1 if it is a double. */
  public static final int COUNTER = 6 << 4;

  /** A flow passes here: its id, and when the span began, if it passes through one. */
  public static final int FLOW = 7 << 4;

  /** A flow ends here: the same. */
  public static final int FLOW_END = 8 << 4;

  /** A moment with bytes. */
  public static final int BYTES = 9 << 4;

  /** A span begins on a thread that shares rings: values. */
  public static final int SHARED_BEGIN = 10 << 4;

  /** A span ends on such a thread: when it began; the values it began with. */
  public static final int SHARED_END = 11 << 4;

  /** A moment with two values. */
  public static final int TWO = INSTANT | 2;

  /** A moment with three values. */
  public static final int THREE = INSTANT | 3;

  static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int PHASE_SHIFT = 60;
  private static final int KIND_SHIFT = 56;
  private static final int NUMBERS_MASK = 7;
  private static final int DEPTH_SHIFT = 49;
  private static final int DEPTH_MASK = 0x7F;
  private static final int EVENT_SHIFT = 32;
  private static final int EVENT_MASK = (1 << 17) - 1;
  private static final long VIRTUAL = 1L << 59;
  private static final long THREAD_MASK = 0xFFFF_FFFFL;
  private static final long KIND_MASK = ~VIRTUAL & (0xFFL << KIND_SHIFT);

  private RecordFormat() {}

  /**
   * The first word of a record.
   *
   * @param kind the phase, and how many numbers the record has
   */
  public static long header(int kind, int event, long thread) {
    return ((long) kind << KIND_SHIFT) | ((long) event << EVENT_SHIFT) | (thread & THREAD_MASK);
  }

  /** The same first word at a depth: the outermost span has 1. */
  public static long at(long header, int depth) {
    return header | (long) depth << DEPTH_SHIFT;
  }

  /** The same first word with another phase and as many numbers. */
  public static long as(long header, int kind) {
    return (header & ~KIND_MASK) | ((long) kind << KIND_SHIFT);
  }

  /** The same first word for a virtual thread. */
  public static long virtual(long header) {
    return header | VIRTUAL;
  }

  static boolean isVirtual(long header) {
    return (header & VIRTUAL) != 0;
  }

  /** How many words a record with so many numbers takes. */
  public static int wordsForNumbers(int numbers) {
    return numbers == 2 ? VALUE_WORDS : VALUES_HEAD + numbers;
  }

  /** How many words a record with so many bytes takes; too many for a ring if that overflows. */
  public static long wordsFor(int bytes) {
    return BYTES_HEAD + ((long) bytes + Long.BYTES - 1) / Long.BYTES;
  }

  /** The phase, as the constants have it. */
  static int phase(long header) {
    return (int) (header >>> PHASE_SHIFT) << 4;
  }

  /** How many numbers a record has. */
  static int numbers(long header) {
    return (int) (header >>> KIND_SHIFT) & NUMBERS_MASK;
  }

  static int depth(long header) {
    return (int) (header >>> DEPTH_SHIFT) & DEPTH_MASK;
  }

  /** The number of the event. */
  public static int event(long header) {
    return (int) (header >>> EVENT_SHIFT) & EVENT_MASK;
  }

  /** The number of a thread as a record has it; of the whole number, or of a first word. */
  public static long thread(long header) {
    return header & THREAD_MASK;
  }

  /** The words of the record at that place. */
  static int size(long[] words, int at) {
    long header = words[at];
    return phase(header) == BYTES
        ? (int) wordsFor((int) words[at + 2])
        : wordsForNumbers(numbers(header));
  }

  /** Stores bytes, eight to a word. */
  public static void storeBytes(long[] words, int at, byte[] bytes, int from, int length) {
    int whole = length & -Long.BYTES;
    int word = at;
    for (int i = 0; i < whole; i += Long.BYTES) {
      words[word++] = (long) LONGS.get(bytes, from + i);
    }
    if (whole < length) {
      long last = 0;
      for (int i = length - 1; i >= whole; i--) {
        last = (last << Byte.SIZE) | (bytes[from + i] & 0xFF);
      }
      words[word] = last;
    }
  }
}
