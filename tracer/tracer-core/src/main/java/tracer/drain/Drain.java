package tracer.drain;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Loop;
import holdfast.log.LibraryLogger;
import holdfast.log.ListenerCalls;
import holdfast.retry.Backoff;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import tracer.DropReason;
import tracer.TracerLifecycleListener;
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
  private static final System.Logger LOG = LibraryLogger.of("tracer");
  private static final Backoff BACKOFF =
      Backoff.exponential(Duration.ofMillis(10), Duration.ofSeconds(1));

  private static final Duration LAST_WAIT = Duration.ofSeconds(1);

  private final SinkCalls sink;
  private final Batches batches;
  private final TracerLifecycleListener listener;
  private final ListenerCalls calls;
  private final TimeSource time;
  private final long flushInterval;
  private final Queue<CountDownLatch> flushes = new ConcurrentLinkedQueue<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final Loop loop;
  private volatile @Nullable Deadline closing;
  private volatile @Nullable Thread draining;

  // Confined to the thread that drains.
  private long lastFlush;
  private int failures;

  /** A drain that has not been started. */
  public Drain(
      Collector collector,
      TraceSink sink,
      Drops drops,
      SinkWatch watch,
      Persisted persisted,
      Rescue rescue,
      TracerLifecycleListener listener,
      TimeSource time,
      Duration flushInterval) {
    this.sink = new SinkCalls(sink, watch, time);
    this.batches = new Batches(collector, this.sink, drops, persisted, rescue);
    this.listener = listener;
    this.calls = new ListenerCalls("tracer", time);
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

  /** How many events change from one place to another at this moment: one ring at most. */
  public long eventsInTransit() {
    return batches.eventsInTransit();
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
    try {
      if (end.getCount() > 0) {
        loop.wakeUp();
        return deadline.await(done) && !batches.isGivenUp();
      }
      return false;
    } finally {
      flushes.remove(done);
    }
  }

  private Duration step() {
    draining = Thread.currentThread();
    Deadline deadline = closing;
    try {
      if (deadline == null) {
        drain();
      } else {
        finish(deadline);
      }
      recovered();
    } catch (IOException | RuntimeException e) {
      failed(e);
      if (!batches.isGivenUp()) {
        return BACKOFF.delay(failures);
      }
    }
    if (batches.isGivenUp()) {
      batches.dropInHand(DropReason.DISK_SLOW);
      end();
    }
    return Duration.ofNanos(Math.max(0, flushInterval - (time.nanoTime() - lastFlush)));
  }

  private void drain() throws IOException {
    sink.open();
    // Seen before the rings are looked at: what was recorded before the wish is found.
    List<CountDownLatch> wishes = List.copyOf(flushes);
    boolean complete = batches.writeSealed();
    if (!wishes.isEmpty() || time.nanoTime() - lastFlush >= flushInterval) {
      complete = batches.writePartlyFilled();
      sink.flush();
      lastFlush = time.nanoTime();
      if (complete) {
        flushes.removeAll(wishes);
        wishes.forEach(CountDownLatch::countDown);
      }
    }
    if (!complete) {
      loop.wakeUp();
    }
  }

  /**
   * Writes what is left, as far as time allows, drops the rest with a reason, and closes the sink.
   *
   * <p>A caller that is interrupted waits no longer than a second; one that is called by the drain
   * itself, as a listener is, does not wait at all.
   *
   * @return false if the sink did not answer, or nobody waited: the rest follows when it does
   */
  public boolean close(Deadline deadline) {
    closing = deadline;
    loop.start(); // also if it never ran: what was recorded is to be written
    loop.wakeUp();
    if (Thread.currentThread().equals(draining)) {
      return false;
    }
    boolean interrupted = false;
    boolean ended = false;
    try {
      ended = deadline.await(end);
    } catch (InterruptedException e) {
      interrupted = true;
      ended = Deadline.after(LAST_WAIT, TimeSource.system()).awaitUninterruptibly(end);
    }
    if (!ended) {
      batches.giveUp(DropReason.DISK_SLOW);
      loop.wakeUp();
      ended = Deadline.after(LAST_WAIT, TimeSource.system()).awaitUninterruptibly(end);
    }
    loop.close(Duration.ZERO); // interrupts a sink that hangs
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return ended;
  }

  /** In the loop: everything is written, or given up, or it is tried again. */
  private void finish(Deadline deadline) throws IOException {
    if (deadline.isOver()) {
      batches.giveUp(DropReason.DISK_SLOW);
    }
    sink.open();
    if (batches.writeSealed() && batches.writePartlyFilled()) {
      sink.flush();
      end();
    } else {
      loop.wakeUp();
    }
  }

  /** The last that the thread does. */
  private void end() {
    if (end.getCount() > 0) {
      closeQuietly();
      loop.close(Duration.ZERO);
      end.countDown();
      flushes.forEach(CountDownLatch::countDown);
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
      calls.run(() -> listener.sinkFailed(e));
    }
  }

  private void recovered() {
    if (failures > 0) {
      LOG.log(INFO, "tracer sink works again failures=" + failures);
      failures = 0;
      calls.run(listener::sinkRecovered);
    }
  }

  private void report(Exception e) {
    LOG.log(WARNING, "tracer drain failed", e);
  }
}
