package tracer.ring;

import tracer.Lane;
import tracer.sink.TraceBatch;

/** The events of a ring, from the oldest to the newest. Confined to the ring's owner. */
public final class RingReader implements TraceBatch {
  private final long[] words;
  private final Lane lane;
  private final String threadName;
  private final int size;
  private int left;
  private int next;
  private int at;

  RingReader(long[] words, int head, int size, Lane lane, String threadName) {
    this.words = words;
    this.next = head;
    this.size = size;
    this.left = size;
    this.lane = lane;
    this.threadName = threadName;
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
    return threadName;
  }

  @Override
  public boolean next() {
    if (left == 0) {
      return false;
    }
    left--;
    at = next;
    if (at == words.length || RecordFormat.kind(words[at]) == RecordFormat.SKIP) {
      at = Ring.START;
    }
    next = at + RecordFormat.size(words, at);
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
  public int values() {
    int kind = RecordFormat.kind(words[at]);
    return kind == RecordFormat.BYTES ? 0 : kind;
  }

  @Override
  public long a() {
    return words[at + 2];
  }

  @Override
  public long b() {
    return words[at + 3];
  }

  @Override
  public long c() {
    return words[at + 4];
  }

  @Override
  public int length() {
    return RecordFormat.kind(words[at]) == RecordFormat.BYTES ? (int) words[at + 2] : 0;
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
