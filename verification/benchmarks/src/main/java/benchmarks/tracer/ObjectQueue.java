package benchmarks.tracer;

import java.util.Queue;

/** A queue of JCTools with an object for each event. */
final class ObjectQueue implements Recorder {
  private static final int BATCH = 1000;

  private final Queue<Event> queue;
  private final Consumer consumer;
  private long sum;

  ObjectQueue(Queue<Event> queue) {
    this.queue = queue;
    this.consumer = new Consumer(this::readAll);
  }

  @Override
  public void record(long a, long b) {
    if (!queue.offer(Event.now(a, b))) {
      throw new IllegalStateException("full");
    }
  }

  private int readAll() {
    int count = 0;
    for (Event event = queue.poll(); event != null; event = queue.poll()) {
      sum += event.sum();
      if (++count == BATCH) {
        break;
      }
    }
    return count;
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
