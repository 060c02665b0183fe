package tracer.lane;

import holdfast.lifecycle.Spin;
import holdfast.time.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Writers that many threads share, in turns. A turn is one event, and never waited for long: a
 * thread that finds a stripe taken goes to the next. Safe for use by many threads.
 */
public final class Stripes {
  private static final VarHandle TAKEN;

  static {
    try {
      TAKEN = MethodHandles.lookup().findVarHandle(Stripe.class, "taken", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ThreadNames names;
  private final Stripe[] stripes;

  /** One of them. Whoever changes {@link #taken} to true has its writers until it changes back. */
  private static final class Stripe {
    final Producer producer;

    // Changed back by a plain assignment: a call might find the stack too short for it, and a
    // stripe would stay taken for ever.
    volatile boolean taken;

    Stripe(Producer producer) {
      this.producer = producer;
    }
  }

  /** Stripes with these writers, as many as a power of two. */
  Stripes(ThreadNames names, Producer... producers) {
    this.names = names;
    this.stripes = new Stripe[producers.length];
    for (int i = 0; i < producers.length; i++) {
      stripes[i] = new Stripe(producers[i]);
    }
  }

  /**
   * Records an event with as many of the numbers as its kind says.
   *
   * @return when, as the record says
   */
  long numbers(
      Thread thread,
      long header,
      TimeSource time,
      int count,
      long a,
      long b,
      long c,
      long d,
      long e) {
    long marked = names.mark(thread, header);
    Stripe stripe = take(thread);
    try {
      long now = time.nanoTime();
      stripe.producer.index().numbers(marked, now, count, a, b, c, d, e);
      return now;
    } finally {
      stripe.taken = false;
    }
  }

  /** Records an event at a time that has been, with as many of the numbers as its kind says. */
  void numbersAt(
      Thread thread, long header, long at, int count, long a, long b, long c, long d, long e) {
    long marked = names.mark(thread, header);
    Stripe stripe = take(thread);
    try {
      stripe.producer.index().numbers(marked, at, count, a, b, c, d, e);
    } finally {
      stripe.taken = false;
    }
  }

  /** Records an event with bytes. */
  public void bytes(
      Thread thread, long header, TimeSource time, byte[] bytes, int from, int length) {
    long marked = names.mark(thread, header);
    Stripe stripe = take(thread);
    try {
      stripe.producer.detail().bytes(marked, time.nanoTime(), bytes, from, length);
    } finally {
      stripe.taken = false;
    }
  }

  /** Counts an event that is not recorded as dropped. */
  void drop(Thread thread, TimeSource time) {
    Stripe stripe = take(thread);
    try {
      stripe.producer.index().drop(time.nanoTime());
    } finally {
      stripe.taken = false;
    }
  }

  private Stripe take(Thread thread) {
    int start = (int) thread.getId();
    for (int i = 0; ; i++) {
      Stripe stripe = stripes[(start + i) & (stripes.length - 1)];
      if (!stripe.taken && TAKEN.compareAndSet(stripe, false, true)) {
        return stripe;
      }
      if (i >= stripes.length) { // more threads are in the middle of it than there are stripes
        Spin.giveWay(i);
      }
    }
  }

  void close() {
    for (Stripe stripe : stripes) {
      stripe.producer.close();
    }
  }
}
