package tracer.lane;

import holdfast.time.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tracer.Lane;

/**
 * Which thread records with which writers: the first threads have their own, further threads and
 * all virtual ones share. Safe for use by many threads.
 */
@SuppressWarnings("ReferenceEquality") // a thread is looked for, not one that equals it
public final class Producers {
  /*
   * A thread finds its writers in a table, at one of two places that follow from its number. Only the
   * thread itself puts them there, so what it finds with its own name on it is its own; whatever
   * else it may see there, however old, has another name on it. A thread that records for the first
   * time takes a producer and then a place for it, each by one compare-and-set; if others have both
   * of its places, it gives the producer back and shares. The drain takes out threads that have
   * ended: the place first, then the producer. So nobody waits for anybody.
   */
  private static final int PLACES_PER_PRODUCER = 8;
  private static final long SCATTER = 0x9E3779B97F4A7C15L;
  private static final VarHandle PLACES = MethodHandles.arrayElementVarHandle(Producer[].class);

  private final @Nullable Producer[] table;
  private final int mask;
  private final int shift;
  private final Producer[] own;
  private final ThreadNames names = new ThreadNames();
  private final Stripes shared;
  private final Writer critical;
  private final RecordedCounters recorded;
  private final int writers;
  private final AtomicInteger unused;
  private final SlowSpans slow;

  /**
   * The writers of a tracer.
   *
   * @param producers how many threads have writers of their own
   * @param stripes how many writers the others share, a power of two
   * @param slow compares spans that have ended with their limits
   */
  public Producers(
      int producers, int stripes, RingAllocator allocator, TimeSource time, SlowSpans slow) {
    this.slow = slow;
    this.writers = 2 * (producers + stripes) + 1;
    this.recorded = new RecordedCounters(writers);
    int bits = 32 - Integer.numberOfLeadingZeros(producers * PLACES_PER_PRODUCER - 1);
    this.table = new Producer[1 << bits];
    this.mask = table.length - 1;
    this.shift = 64 - bits;
    this.own = producers(0, producers, allocator, time);
    this.shared = new Stripes(names, producers(producers, stripes, allocator, time));
    this.critical = new Writer(writers - 1, Lane.CRITICAL, allocator, recorded, writers);
    this.unused = new AtomicInteger(producers);
  }

  private Producer[] producers(int first, int count, RingAllocator allocator, TimeSource time) {
    Producer[] producers = new Producer[count];
    for (int i = 0; i < count; i++) {
      int writer = 2 * (first + i);
      producers[i] =
          new Producer(
              new Writer(writer, Lane.INDEX, allocator, recorded, writers),
              new Writer(writer + 1, Lane.DETAIL, allocator, recorded, writers),
              time,
              slow);
    }
    return producers;
  }

  /**
   * The writers of the current thread.
   *
   * @return null if it must share
   */
  public @Nullable Producer of(Thread thread) {
    Producer found = table[(int) thread.getId() & mask];
    if (found != null && found.thread == thread) {
      return found;
    }
    return atSecondPlace(thread);
  }

  private @Nullable Producer atSecondPlace(Thread thread) {
    Producer found = table[secondPlace(thread)];
    if (found != null && found.thread == thread) {
      return found;
    }
    return unused.get() == 0 || ThreadNames.isVirtual(thread) ? null : register(thread);
  }

  private int secondPlace(Thread thread) {
    return (int) ((thread.getId() * SCATTER) >>> shift);
  }

  private @Nullable Producer register(Thread thread) {
    int first = (int) thread.getId() & mask;
    int second = secondPlace(thread);
    if (table[first] != null && table[second] != null) {
      return null;
    }
    StackHeadroom.require(); // a producer that is taken must get its place, or be given back
    for (Producer producer : own) {
      if (producer.take(thread)) {
        if (PLACES.compareAndSet(table, first, null, producer)
            || PLACES.compareAndSet(table, second, null, producer)) {
          unused.decrementAndGet();
          return producer;
        }
        producer.release();
        return null;
      }
    }
    return null;
  }

  /** Compares spans that have ended with their limits. */
  SlowSpans slow() {
    return slow;
  }

  /** The names of threads that share rings. */
  public ThreadNames names() {
    return names;
  }

  /** The writers of threads that have none of their own. */
  public Stripes shared() {
    return shared;
  }

  /** The writer of critical events; its users lock it themselves. */
  public Writer critical() {
    return critical;
  }

  /** Producers whose thread has ended. For the drain. */
  List<Producer> ended() {
    List<Producer> ended = new ArrayList<>();
    for (Producer producer : own) {
      if (producer.hasEnded()) {
        ended.add(producer);
      }
    }
    return ended;
  }

  /** Lets another thread have the writers of one that has ended, and given up its rings. */
  void release(Producer producer) {
    for (int i = 0; i < table.length; i++) {
      if (table[i] == producer) {
        PLACES.setRelease(table, i, null);
      }
    }
    producer.release();
    unused.incrementAndGet();
  }

  /** Has all writers see that the tracer is closed. */
  public void close() {
    for (Producer producer : own) {
      producer.close();
    }
    shared.close();
    critical.close();
  }

  /** How many events a writer has recorded. */
  long recordedBy(int writer) {
    return recorded.of(writer);
  }

  /** How many events were recorded on a lane. */
  public long recorded(Lane lane) {
    if (lane == Lane.CRITICAL) {
      return recorded.of(writers - 1);
    }
    long sum = 0;
    for (int i = lane == Lane.INDEX ? 0 : 1; i < writers - 1; i += 2) {
      sum += recorded.of(i);
    }
    return sum;
  }
}
