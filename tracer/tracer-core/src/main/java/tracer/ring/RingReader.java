package tracer.ring;

import java.util.Objects;
import java.util.function.LongFunction;
import tracer.Lane;
import tracer.sink.TraceBatch;
import tracer.sink.TracePhase;

/** The events of a ring, from the oldest to the newest. Confined to the ring's owner. */
public final class RingReader implements TraceBatch {
  /** By the phase of a record; bytes are a moment, too. */
  private static final TracePhase[] PHASES = {
    TracePhase.INSTANT,
    TracePhase.INSTANT,
    TracePhase.BEGIN,
    TracePhase.END,
    TracePhase.ASYNC_BEGIN,
    TracePhase.ASYNC_END,
    TracePhase.COUNTER,
    TracePhase.FLOW,
    TracePhase.FLOW_END,
    TracePhase.INSTANT,
    TracePhase.BEGIN,
    TracePhase.END
  };

  /** How many numbers of a record come before its values; a flow has none. */
  private static final int[] NOT_VALUES = {0, 0, 0, 1, 1, 1, 0, 2, 2, 0, 0, 1};

  private final long[] words;
  private final Lane lane;
  private final String threadName;
  private final LongFunction<String> threadNames;
  private final int size;
  private int left;
  private int next;
  private int at;
  private int values;
  private int firstValue;

  RingReader(
      long[] words,
      int head,
      int size,
      Lane lane,
      String threadName,
      LongFunction<String> threadNames) {
    this.words = words;
    this.next = head;
    this.size = size;
    this.left = size;
    this.lane = lane;
    this.threadName = threadName;
    this.threadNames = threadNames;
  }

  @Override
  public Lane lane() {
    return lane;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public String threadName() {
    return threadName.isEmpty() ? threadNames.apply(threadId()) : threadName;
  }

  @Override
  public boolean isVirtual() {
    return RecordFormat.isVirtual(words[at]);
  }

  @Override
  public boolean next() {
    if (left == 0) {
      return false;
    }
    left--;
    at = next;
    if (at == words.length || RecordFormat.phase(words[at]) == RecordFormat.SKIP) {
      at = Ring.START;
    }
    next = at + RecordFormat.size(words, at);
    long header = words[at];
    int others = NOT_VALUES[RecordFormat.phase(header) >>> 4];
    values = Math.max(0, RecordFormat.numbers(header) - others);
    firstValue = at + RecordFormat.VALUES_HEAD + others;
    return true;
  }

  @Override
  public long time() {
    return words[at + 1];
  }

  @Override
  public int eventId() {
    return RecordFormat.event(words[at]);
  }

  @Override
  public long threadId() {
    return RecordFormat.thread(words[at]);
  }

  @Override
  public TracePhase phase() {
    return PHASES[RecordFormat.phase(words[at]) >>> 4];
  }

  @Override
  public int depth() {
    return isDouble() ? 0 : RecordFormat.depth(words[at]);
  }

  @Override
  public boolean isShared() {
    int phase = RecordFormat.phase(words[at]);
    return phase == RecordFormat.SHARED_BEGIN || phase == RecordFormat.SHARED_END;
  }

  @Override
  public boolean isDouble() {
    long header = words[at];
    return RecordFormat.phase(header) == RecordFormat.COUNTER && RecordFormat.depth(header) == 1;
  }

  @Override
  public long began() {
    return switch (RecordFormat.phase(words[at])) {
      case RecordFormat.END, RecordFormat.SHARED_END -> words[at + 2];
      case RecordFormat.FLOW, RecordFormat.FLOW_END ->
          RecordFormat.numbers(words[at]) > 1 ? words[at + 3] : time();
      default -> time();
    };
  }

  @Override
  public long id() {
    return switch (RecordFormat.phase(words[at])) {
      case RecordFormat.ASYNC_BEGIN,
          RecordFormat.ASYNC_END,
          RecordFormat.FLOW,
          RecordFormat.FLOW_END ->
          words[at + 2];
      default -> 0;
    };
  }

  @Override
  public int values() {
    return values;
  }

  @Override
  public long value(int index) {
    return words[firstValue + Objects.checkIndex(index, values)];
  }

  @Override
  public long a() {
    return orZero(0);
  }

  @Override
  public long b() {
    return orZero(1);
  }

  @Override
  public long c() {
    return orZero(2);
  }

  @Override
  public long d() {
    return orZero(3);
  }

  private long orZero(int index) {
    return index < values ? words[firstValue + index] : 0;
  }

  @Override
  public int length() {
    return RecordFormat.phase(words[at]) == RecordFormat.BYTES ? (int) words[at + 2] : 0;
  }

  @Override
  public void copyBytes(byte[] into, int to) {
    int length = length();
    int whole = length & -Long.BYTES;
    int word = at + RecordFormat.BYTES_HEAD;
    for (int i = 0; i < whole; i += Long.BYTES) {
      RecordFormat.LONGS.set(into, to + i, words[word++]);
    }
    for (int i = whole, shift = 0; i < length; i++, shift += Byte.SIZE) {
      into[to + i] = (byte) (words[word] >>> shift);
    }
  }
}
