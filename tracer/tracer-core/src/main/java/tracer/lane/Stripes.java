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
  Stripes(Producer... producers) {
    this.stripes = new Stripe[producers.length];
    for (int i = 0; i < producers.length; i++) {
      stripes[i] = new Stripe(producers[i]);
    }
  }

  /** Records an event with two values. */
  public void two(Thread thread, long header, TimeSource time, long a, long b) {
    Stripe stripe = take(thread);
    try {
      stripe.producer.index().two(header, time.nanoTime(), a, b);
    } finally {
      stripe.taken = false;
    }
  }

  /** Records an event with three values. */
  public void three(Thread thread, long header, TimeSource time, long a, long b, long c) {
    Stripe stripe = take(thread);
    try {
      stripe.producer.index().three(header, time.nanoTime(), a, b, c);
    } finally {
      stripe.taken = false;
    }
  }

  /** Records an event with bytes. */
  public void bytes(
      Thread thread, long header, TimeSource time, byte[] bytes, int from, int length) {
    Stripe stripe = take(thread);
    try {
      stripe.producer.detail().bytes(header, time.nanoTime(), bytes, from, length);
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
