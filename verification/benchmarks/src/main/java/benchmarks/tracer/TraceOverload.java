package benchmarks.tracer;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.broadcast.BroadcastBufferDescriptor;
import org.agrona.concurrent.broadcast.BroadcastTransmitter;
import org.jctools.queues.MpmcArrayQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an event costs when nobody reads and the oldest must go: the tracer with its drain stopped,
 * beside queues and rings that can be made to drop the oldest. All have room for 65,536 events.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 6, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 2, jvmArgsAppend = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED")
public class TraceOverload {
  private static final int CALLS = 10_000;
  private static final int CAPACITY = 1 << 16;

  /** Who drops the oldest. */
  @State(Scope.Thread)
  public static class Field {
    /** Who takes the events. */
    @Param({"tracer", "deque", "agrona", "jctools"})
    public String contender = "";

    private Recorder recorder = new Deque();

    /** Fills it. */
    @Setup
    public void start() {
      recorder =
          switch (contender) {
            case "tracer" -> HoldfastTracer.stopped(CAPACITY);
            case "agrona" -> new Broadcast();
            case "jctools" -> new Evicting();
            default -> new Deque();
          };
      for (int i = 0; i <= CAPACITY; i++) {
        recorder.record(i, ~i);
      }
    }

    /** Ends it. */
    @TearDown
    public void close() {
      recorder.close();
    }
  }

  /** A deque behind its monitor. */
  private static final class Deque implements Recorder {
    private final ArrayDeque<Event> events = new ArrayDeque<>(CAPACITY);

    @Override
    public synchronized void record(long a, long b) {
      if (events.size() == CAPACITY) {
        events.removeFirst();
      }
      events.addLast(Event.now(a, b));
    }

    @Override
    public long taken() {
      return 0;
    }

    @Override
    public void close() {}
  }

  /** Agrona's broadcast buffer, which overwrites what slow receivers have not read. */
  private static final class Broadcast implements Recorder {
    private static final int BYTES = 5 * Long.BYTES;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[BYTES]);
    private final BroadcastTransmitter transmitter =
        new BroadcastTransmitter(
            new UnsafeBuffer(new byte[CAPACITY * 64 + BroadcastBufferDescriptor.TRAILER_LENGTH]));

    @Override
    public void record(long a, long b) {
      message.putLong(0, System.nanoTime());
      message.putLong(8, Thread.currentThread().getId());
      message.putLong(16, KIND);
      message.putLong(24, a);
      message.putLong(32, b);
      transmitter.transmit(1, message, 0, BYTES);
    }

    @Override
    public long taken() {
      return 0;
    }

    @Override
    public void close() {}
  }

  /** A queue of JCTools from which the producer takes when it is full. */
  private static final class Evicting implements Recorder {
    private final MpmcArrayQueue<Event> queue = new MpmcArrayQueue<>(CAPACITY);

    @Override
    public void record(long a, long b) {
      Event event = Event.now(a, b);
      while (!queue.offer(event)) {
        queue.poll();
      }
    }

    @Override
    public long taken() {
      return 0;
    }

    @Override
    public void close() {}
  }

  /** Nobody reads. */
  @Benchmark
  @OperationsPerInvocation(CALLS)
  public void nobodyReads(Field field) {
    for (int i = 0; i < CALLS; i++) {
      field.recorder.record(i, ~i);
    }
  }
}
