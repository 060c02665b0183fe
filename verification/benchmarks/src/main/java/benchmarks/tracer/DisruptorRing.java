package benchmarks.tracer;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import com.lmax.disruptor.util.DaemonThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/** Disruptor with an event object in each place of its ring. */
final class DisruptorRing implements Recorder {
  private final AtomicLong taken = new AtomicLong();
  private final Disruptor<Slot> disruptor;
  private final RingBuffer<Slot> ring;
  private long count;
  private long sum;

  private static final class Slot {
    private long time;
    private long thread;
    private int kind;
    private long a;
    private long b;
  }

  DisruptorRing(ProducerType producers, int capacity) {
    this.disruptor =
        new Disruptor<>(
            Slot::new,
            capacity,
            DaemonThreadFactory.INSTANCE,
            producers,
            new YieldingWaitStrategy());
    disruptor.handleEventsWith((slot, sequence, last) -> read(slot, last));
    this.ring = disruptor.start();
  }

  private void read(Slot slot, boolean last) {
    sum += slot.time + slot.thread + slot.kind + slot.a + slot.b;
    count++;
    if (last) {
      taken.setRelease(count);
    }
  }

  @Override
  public void record(long a, long b) {
    long sequence = ring.next();
    Slot slot = ring.get(sequence);
    slot.time = System.nanoTime();
    slot.thread = Thread.currentThread().getId();
    slot.kind = KIND;
    slot.a = a;
    slot.b = b;
    ring.publish(sequence);
  }

  @Override
  public long taken() {
    return taken.get();
  }

  @Override
  public void close() {
    disruptor.shutdown();
    Sums.keep(sum);
  }
}
