package tracer.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * How a record lies in the words of a ring.
 *
 * <pre>
 * word 0  kind (4 bits) | number of the event (28 bits) | number of the thread (32 bits)
 * word 1  time
 * values: words 2 to 4          bytes: word 2 their number, then eight to a word
 * </pre>
 *
 * <p>A record with two values takes as much room as one with three, so that a ring holds the same
 * number of events whatever they are. Stateless.
 */
public final class RecordFormat {
  /** The words of a record with values. */
  public static final int VALUE_WORDS = 5;

  /** The bytes of a record with values. */
  public static final int VALUE_BYTES = VALUE_WORDS * Long.BYTES;

  /** The words of a record with bytes before the first of them. */
  public static final int BYTES_HEAD = 3;

  /** Nothing here: the next record is at the start of the ring. */
  static final int SKIP = 0;

  /** Two values. */
  public static final int TWO = 2;

  /** Three values. */
  public static final int THREE = 3;

  /** Bytes. */
  public static final int BYTES = 4;

  static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int KIND_SHIFT = 60;
  private static final int EVENT_SHIFT = 32;
  private static final int EVENT_MASK = (1 << 28) - 1;
  private static final long THREAD_MASK = 0xFFFF_FFFFL;

  private RecordFormat() {}

  /** The first word of a record. */
  public static long header(int kind, int event, long thread) {
    return ((long) kind << KIND_SHIFT) | ((long) event << EVENT_SHIFT) | (thread & THREAD_MASK);
  }

  /** How many words a record with so many bytes takes; too many for a ring if that overflows. */
  public static long wordsFor(int bytes) {
    return BYTES_HEAD + ((long) bytes + Long.BYTES - 1) / Long.BYTES;
  }

  static int kind(long header) {
    return (int) (header >>> KIND_SHIFT);
  }

  static int event(long header) {
    return (int) (header >>> EVENT_SHIFT) & EVENT_MASK;
  }

  static long thread(long header) {
    return header & THREAD_MASK;
  }

  /** The words of the record at that place. */
  static int size(long[] words, int at) {
    return kind(words[at]) == BYTES ? (int) wordsFor((int) words[at + 2]) : VALUE_WORDS;
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
