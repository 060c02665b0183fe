package benchmarks.tracer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The ring that one writes by hand for one producer and one consumer: words in an array, a head and
 * a tail far from each other, and each side remembers where it last saw the other.
 */
final class ArrayRing implements Recorder {
  private static final VarHandle MARKS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int WORDS = 5;
  private static final int TAIL = 16;
  private static final int HEAD_SEEN = 17;
  private static final int HEAD = 48;

  private final long[] words;
  private final int mask;
  private final long[] marks = new long[80];
  private final Consumer consumer;
  private long sum;

  ArrayRing(int capacity) {
    this.words = new long[capacity * WORDS];
    this.mask = capacity - 1;
    this.consumer = new Consumer(this::readAll);
  }

  @Override
  public void record(long a, long b) {
    long tail = marks[TAIL];
    if (tail - marks[HEAD_SEEN] > mask) {
      marks[HEAD_SEEN] = (long) MARKS.getAcquire(marks, HEAD);
      if (tail - marks[HEAD_SEEN] > mask) {
        throw new IllegalStateException("full");
      }
    }
    int at = (int) (tail & mask) * WORDS;
    words[at] = Thread.currentThread().getId();
    words[at + 1] = System.nanoTime();
    words[at + 2] = KIND;
    words[at + 3] = a;
    words[at + 4] = b;
    MARKS.setRelease(marks, TAIL, tail + 1);
  }

  private int readAll() {
    long head = marks[HEAD];
    long tail = (long) MARKS.getAcquire(marks, TAIL);
    long all = 0;
    for (long next = head; next < tail; next++) {
      int at = (int) (next & mask) * WORDS;
      all += words[at] + words[at + 1] + words[at + 2] + words[at + 3] + words[at + 4];
    }
    sum += all;
    MARKS.setRelease(marks, HEAD, tail);
    return (int) (tail - head);
  }

  @Override
  public long taken() {
    return consumer.taken();
  }

  @Override
  public void close() {
    consumer.close();
    Sums.keep(sum);
  }
}
