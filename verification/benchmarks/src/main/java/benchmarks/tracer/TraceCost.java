package benchmarks.tracer;

import com.lmax.disruptor.dsl.ProducerType;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.SpscArrayQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an event costs those who record it while the consumer keeps up: each takes time, thread,
 * kind and two numbers of it. Producers record 10,000 events at a time and wait, unmeasured, until
 * most of what they have recorded was read, so there is always room.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 6, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {
      "-Dlog4j2.asyncLoggerRingBufferSize=65536",
      "-Dlog4j2.asyncLoggerWaitStrategy=Yield"
    })
public class TraceCost {
  private static final int CALLS = 10_000;
  private static final int CAPACITY = 1 << 16;

  /** One producer. */
  @State(Scope.Benchmark)
  public static class One extends Field {
    /** Who takes the events. */
    @Param({"tracer", "array", "disruptor", "jctools", "log4j"})
    public String contender = "";

    @Override
    Recorder recorder() {
      return switch (contender) {
        case "tracer" -> HoldfastTracer.drained(1, CAPACITY);
        case "array" -> new ArrayRing(CAPACITY);
        case "disruptor" -> new DisruptorRing(ProducerType.SINGLE, CAPACITY);
        case "log4j" -> new Log4jLogger();
        default -> new ObjectQueue(new SpscArrayQueue<>(CAPACITY));
      };
    }
  }

  /** Two producers. */
  @State(Scope.Benchmark)
  public static class Two extends Field {
    /** Who takes the events. */
    @Param({"tracer", "disruptor", "jctools", "log4j"})
    public String contender = "";

    @Override
    Recorder recorder() {
      return switch (contender) {
        case "tracer" -> HoldfastTracer.drained(2, CAPACITY);
        case "disruptor" -> new DisruptorRing(ProducerType.MULTI, CAPACITY);
        case "log4j" -> new Log4jLogger();
        default -> new ObjectQueue(new MpscArrayQueue<>(CAPACITY));
      };
    }
  }

  /** A recorder and how much it was given. */
  @State(Scope.Benchmark)
  public abstract static class Field {
    private final AtomicLong given = new AtomicLong();
    private Recorder recorder = new Nothing();

    /** The one that the parameter names. */
    abstract Recorder recorder();

    /** Starts it. */
    @Setup
    public void start() {
      recorder = recorder();
    }

    /** Ends it. */
    @TearDown
    public void close() {
      recorder.close();
    }

    void recordAll() {
      for (int i = 0; i < CALLS; i++) {
        recorder.record(i, ~i);
      }
      given.addAndGet(CALLS);
    }

    @SuppressWarnings("ThreadPriorityCheck") // the consumer needs the processor
    void awaitRoom() {
      while (given.get() - recorder.taken() > CAPACITY / 4) {
        Thread.yield();
      }
    }
  }

  /** Before a recorder was chosen. */
  private static final class Nothing implements Recorder {
    @Override
    public void record(long a, long b) {
      throw new IllegalStateException("not started");
    }

    @Override
    public long taken() {
      return 0;
    }

    @Override
    public void close() {}
  }

  /** Has one producer wait for room. */
  @State(Scope.Thread)
  public static class RoomForOne {
    /** Waits. */
    @Setup(Level.Invocation)
    public void await(One field) {
      field.awaitRoom();
    }
  }

  /** Has one of two producers wait for room. */
  @State(Scope.Thread)
  public static class RoomForTwo {
    /** Waits. */
    @Setup(Level.Invocation)
    public void await(Two field) {
      field.awaitRoom();
    }
  }

  /** One producer. */
  @Benchmark
  @OperationsPerInvocation(CALLS)
  public void oneProducer(One field, RoomForOne room) {
    field.recordAll();
  }

  /** Two producers. */
  @Benchmark
  @Threads(2)
  @OperationsPerInvocation(CALLS)
  public void twoProducers(Two field, RoomForTwo room) {
    field.recordAll();
  }
}
