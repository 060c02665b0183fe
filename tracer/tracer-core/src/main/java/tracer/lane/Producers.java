package tracer.lane;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
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
   * else it may see there, however old, has another name on it. Changes are made under the monitor,
   * by threads that record for the first time and by the drain, which takes out threads that have
   * ended; looking needs nothing.
   */
  private static final int PLACES_PER_PRODUCER = 8;
  private static final long SCATTER = 0x9E3779B97F4A7C15L;
  private static final @Nullable MethodHandle IS_VIRTUAL = isVirtualIfAvailable();

  private final @Nullable Producer[] table;
  private final int mask;
  private final int shift;
  private final List<Producer> own = new ArrayList<>();
  private final Stripes shared;
  private final Writer critical;
  private final Recorded recorded;
  private final int writers;
  private volatile int unused;

  /**
   * The writers of a tracer.
   *
   * @param producers how many threads have writers of their own
   * @param stripes how many writers the others share, a power of two
   */
  public Producers(int producers, int stripes, Supply supply) {
    this.writers = 2 * (producers + stripes) + 1;
    this.recorded = new Recorded(writers);
    int bits = 32 - Integer.numberOfLeadingZeros(producers * PLACES_PER_PRODUCER - 1);
    this.table = new Producer[1 << bits];
    this.mask = table.length - 1;
    this.shift = 64 - bits;
    for (int i = 0; i < producers; i++) {
      own.add(producer(2 * i, supply));
    }
    this.shared =
        new Stripes(
            IntStream.range(producers, producers + stripes)
                .mapToObj(i -> producer(2 * i, supply))
                .toArray(Producer[]::new));
    this.critical = new Writer(writers - 1, Lane.CRITICAL, supply, recorded, writers);
    this.unused = producers;
  }

  private Producer producer(int index, Supply supply) {
    return new Producer(
        new Writer(index, Lane.INDEX, supply, recorded, writers),
        new Writer(index + 1, Lane.DETAIL, supply, recorded, writers));
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
    return unused == 0 || isVirtual(thread) ? null : register(thread);
  }

  private int secondPlace(Thread thread) {
    return (int) ((thread.getId() * SCATTER) >>> shift);
  }

  private synchronized @Nullable Producer register(Thread thread) {
    int first = (int) thread.getId() & mask;
    int place = table[first] == null ? first : secondPlace(thread);
    if (table[place] != null) {
      return null;
    }
    for (Producer producer : own) {
      if (producer.thread == null) {
        producer.begin(thread);
        table[place] = producer;
        unused--;
        return producer;
      }
    }
    return null;
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
  synchronized List<Producer> ended() {
    List<Producer> ended = new ArrayList<>();
    for (Producer producer : own) {
      Thread thread = producer.thread;
      if (thread != null && !thread.isAlive()) {
        ended.add(producer);
      }
    }
    return ended;
  }

  /** Lets another thread have the writers of one that has ended, and given up its rings. */
  synchronized void release(Producer producer) {
    for (int i = 0; i < table.length; i++) {
      if (table[i] == producer) {
        table[i] = null;
      }
    }
    producer.thread = null;
    unused++;
  }

  /** Has all writers see that the tracer is closed. */
  public void close() {
    own.forEach(Producer::close);
    shared.close();
    critical.close();
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

  private static boolean isVirtual(Thread thread) {
    if (IS_VIRTUAL == null) {
      return false;
    }
    try {
      return (boolean) IS_VIRTUAL.invokeExact(thread);
    } catch (Throwable e) { // declared by method handles; the method itself throws nothing
      throw new IllegalStateException("Thread.isVirtual failed", e);
    }
  }

  // This code is compiled for a JDK that does not know Thread.isVirtual(), so it is looked up.
  private static @Nullable MethodHandle isVirtualIfAvailable() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return null;
    }
  }
}
