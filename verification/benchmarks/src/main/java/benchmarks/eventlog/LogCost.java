package benchmarks.eventlog;

import eventlog.AsyncEventLogger;
import eventlog.EventLogEntry;
import eventlog.spi.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a call of log() costs the caller beside a plain offer to an {@link ArrayBlockingQueue}: both
 * as long as there is room, first with nobody taking, then with a thread that takes batches of 50.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 8, time = 1)
@Fork(2)
public class LogCost {
  private static final int CALLS = 10_000;

  /** An event that all calls share. */
  private static final EventLogEntry EVENT = Samples.event(1);

  /** A logger whose client never answers, so that events stay where they are. */
  @State(Scope.Thread)
  public static class StuckLogger {
    private CountDownLatch latch = new CountDownLatch(1);
    private AsyncEventLogger logger = logger();

    private AsyncEventLogger logger() {
      CountDownLatch until = latch;
      return AsyncEventLogger.builder()
          .client(
              events -> {
                until.await();
                return Answer.delivered();
              })
          .queueCapacity(CALLS + 100)
          .registerShutdownHook(false)
          .build();
    }

    /** An empty queue, and a sender that is stuck already. */
    @Setup(Level.Invocation)
    public void refill() {
      latch.countDown();
      logger.close();
      latch = new CountDownLatch(1);
      logger = logger();
    }

    /** Lets go. */
    @TearDown
    public void close() {
      latch.countDown();
      logger.close();
    }
  }

  /** A queue that nobody takes from. */
  @State(Scope.Thread)
  public static class StuckQueue {
    private ArrayBlockingQueue<EventLogEntry> queue = new ArrayBlockingQueue<>(CALLS + 100);

    /** A new one, as the logger is new. */
    @Setup(Level.Invocation)
    public void refill() {
      queue = new ArrayBlockingQueue<>(CALLS + 100);
    }
  }

  /** A logger whose client answers at once. */
  @State(Scope.Thread)
  public static class DrainedLogger {
    private final AsyncEventLogger logger =
        AsyncEventLogger.builder()
            .client(events -> Answer.delivered())
            .queueCapacity(CALLS + 100)
            .registerShutdownHook(false)
            .build();

    /** Room for all calls. */
    @Setup(Level.Invocation)
    public void awaitRoom() {
      while (logger.queueDepth() > 0) {
        Thread.onSpinWait();
      }
    }

    /** Lets go. */
    @TearDown
    public void close() {
      logger.close();
    }
  }

  /** A queue with a thread that takes batches of 50. */
  @State(Scope.Thread)
  public static class DrainedQueue {
    private final ArrayBlockingQueue<EventLogEntry> queue = new ArrayBlockingQueue<>(CALLS + 100);
    private final Thread taker = new Thread(this::take, "taker");

    /** Starts taking. */
    @Setup
    public void start() {
      taker.setDaemon(true);
      taker.start();
    }

    private void take() {
      List<EventLogEntry> batch = new ArrayList<>(50);
      try {
        while (true) {
          batch.add(queue.take());
          queue.drainTo(batch, 49);
          batch.clear();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the end
      }
    }

    /** Room for all calls. */
    @Setup(Level.Invocation)
    public void awaitRoom() {
      while (!queue.isEmpty()) {
        Thread.onSpinWait();
      }
    }

    /** Ends taking. */
    @TearDown
    public void stop() {
      taker.interrupt();
    }
  }

  /** The reference, nobody takes. */
  @Benchmark
  @OperationsPerInvocation(CALLS)
  public void offerOnly(StuckQueue stuck) {
    offerAll(stuck.queue);
  }

  /** The logger, nobody takes. */
  @Benchmark
  @OperationsPerInvocation(CALLS)
  public void logOnly(StuckLogger stuck) {
    logAll(stuck.logger);
  }

  /** The reference, while another thread takes. */
  @Benchmark
  @OperationsPerInvocation(CALLS)
  public void offerDrained(DrainedQueue drained) {
    offerAll(drained.queue);
  }

  /** The logger, while its sender takes. */
  @Benchmark
  @OperationsPerInvocation(CALLS)
  public void logDrained(DrainedLogger drained) {
    logAll(drained.logger);
  }

  private static void offerAll(ArrayBlockingQueue<EventLogEntry> queue) {
    for (int i = 0; i < CALLS; i++) {
      require(queue.offer(EVENT));
    }
  }

  private static void logAll(AsyncEventLogger logger) {
    for (int i = 0; i < CALLS; i++) {
      require(logger.log(EVENT));
    }
  }

  private static void require(boolean taken) {
    if (!taken) {
      throw new IllegalStateException("there must be room for every event; the figures are void");
    }
  }
}
