package tracer.drain;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Loop;
import holdfast.lifecycle.Threads;
import holdfast.retry.Backoff;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import tracer.DropReason;
import tracer.TracerListener;
import tracer.lane.Collector;
import tracer.lane.Drops;
import tracer.lane.SinkWatch;
import tracer.sink.TraceSink;

/**
 * The thread that writes rings to the sink: the sealed ones when there are any, the others once in
 * an interval or when somebody asks. While the sink fails, it tries again. Safe for use by many
 * threads.
 */
public final class Drain {
  private static final System.Logger LOG = System.getLogger("tracer");
  private static final Backoff BACKOFF =
      Backoff.exponential(Duration.ofMillis(10), Duration.ofSeconds(1));

  private static final Duration LAST_WAIT = Duration.ofSeconds(1);

  private final SinkCalls sink;
  private final Batches batches;
  private final TracerListener listener;
  private final TimeSource time;
  private final long flushInterval;
  private final Queue<CountDownLatch> flushes = new ConcurrentLinkedQueue<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final Loop loop;
  private volatile boolean closing;

  // Confined to the thread that drains: the loop's, and after its end the one that closes.
  private long lastFlush;
  private int failures;

  /** A drain that has not been started. */
  public Drain(
      Collector collector,
      TraceSink sink,
      Drops drops,
      SinkWatch watch,
      Persisted persisted,
      TracerListener listener,
      TimeSource time,
      Duration flushInterval) {
    this.sink = new SinkCalls(sink, watch, time);
    this.batches = new Batches(collector, this.sink, drops, persisted);
    this.listener = listener;
    this.time = time;
    this.flushInterval = flushInterval.toNanos();
    this.lastFlush = time.nanoTime();
    this.loop = new Loop("tracer-drain", flushInterval, this::step, this::report, time);
  }

  /** Begins to drain. */
  public void start() {
    loop.start();
  }

  /** Has it look for sealed rings now. */
  public void wakeUp() {
    loop.wakeUp();
  }

  /** How long the sink takes. */
  public EncoderLatency latency() {
    return sink.latency();
  }

  /** How many events it has in hand. */
  public long eventsInHand() {
    return batches.eventsInHand();
  }

  /**
   * Waits until all that was recorded before is with the sink, and the sink was flushed.
   *
   * @return whether that came to pass in time
   * @throws InterruptedException if the calling thread is interrupted
   */
  public boolean flush(Deadline deadline) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    flushes.add(done);
    loop.wakeUp();
    return deadline.await(done);
  }

  private Duration step() {
    try {
      if (closing) {
        finish();
      } else {
        drain();
      }
    } catch (IOException | RuntimeException e) {
      failed(e);
      return BACKOFF.delay(failures);
    }
    recovered();
    return Duration.ofNanos(Math.max(0, flushInterval - (time.nanoTime() - lastFlush)));
  }

  private void drain() throws IOException {
    sink.open();
    // Taken before the rings are looked at: what was recorded before the wish is found.
    List<CountDownLatch> wishes = new ArrayList<>();
    for (CountDownLatch wish = flushes.poll(); wish != null; wish = flushes.poll()) {
      wishes.add(wish);
    }
    try {
      boolean complete = batches.writeSealed();
      if (!wishes.isEmpty() || time.nanoTime() - lastFlush >= flushInterval) {
        complete = batches.writePartlyFilled();
        sink.flush();
        lastFlush = time.nanoTime();
        if (complete) {
          wishes.forEach(CountDownLatch::countDown);
          wishes.clear();
        }
      }
      if (!complete) {
        loop.wakeUp();
      }
    } finally {
      flushes.addAll(wishes);
    }
  }

  /**
   * Writes what is left, as far as time allows, drops the rest with a reason, and closes the sink.
   *
   * <p>A caller that is interrupted does not wait any longer.
   *
   * @return false if the sink did not answer: what it was given last is left with it
   */
  public boolean close(Deadline deadline) {
    closing = true;
    loop.start(); // also if it never ran: what was recorded is to be written
    loop.wakeUp();
    boolean finished = false;
    boolean interrupted = false;
    try {
      finished = deadline.await(end);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    // Unless the sink hangs, its thread has nothing left to do but to end.
    boolean ended = loop.close(LAST_WAIT);
    if (ended && !finished) {
      batches.dropAll(DropReason.DISK_SLOW);
      closeSink();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return finished || ended;
  }

  /** In the loop: everything is written and the sink closed, or it is tried again. */
  private void finish() throws IOException {
    sink.open();
    if (batches.writeSealed() && batches.writePartlyFilled()) {
      sink.flush();
      closeQuietly();
      end.countDown();
      flushes.forEach(CountDownLatch::countDown);
    } else {
      loop.wakeUp();
    }
  }

  /** The sink has failed until now, so it may hang; the caller does not wait for it long. */
  private void closeSink() {
    Thread thread = Threads.daemon("tracer-sink-close").newThread(this::closeQuietly);
    thread.start();
    try {
      Deadline.after(LAST_WAIT, TimeSource.system()).join(thread);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeQuietly() {
    try {
      sink.close();
    } catch (IOException | RuntimeException e) {
      LOG.log(WARNING, "tracer sink could not be closed", e);
    }
  }

  private void failed(Exception e) {
    if (failures++ == 0) {
      LOG.log(WARNING, "tracer sink failed; events stay in memory and it is tried again", e);
      tell(() -> listener.sinkFailed(e));
    }
  }

  private void recovered() {
    if (failures > 0) {
      LOG.log(INFO, "tracer sink works again failures=" + failures);
      failures = 0;
      tell(listener::sinkRecovered);
    }
  }

  private static void tell(Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException e) {
      LOG.log(WARNING, "tracer listener failed", e);
    }
  }

  private void report(Exception e) {
    LOG.log(WARNING, "tracer drain failed", e);
  }
}
