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
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import tracer.DropReason;
import tracer.TraceDump;
import tracer.TracerLifecycleListener;
import tracer.lane.Collector;
import tracer.lane.Drops;
import tracer.lane.SinkWatch;
import tracer.sink.TraceSink;

/**
 * The thread that writes rings to the sink: the sealed ones when there are any, the others once in
 * an interval or when somebody asks. While the sink fails, it tries again. In a flight recorder it
 * leaves rings where they are until a dump is asked for. Safe for use by many threads.
 */
public final class Drain {
  private static final System.Logger LOG = LibraryLogger.of("tracer");
  private static final Backoff BACKOFF =
      Backoff.exponential(Duration.ofMillis(10), Duration.ofSeconds(1));

  private static final Duration LAST_WAIT = Duration.ofSeconds(1);

  private final SinkCalls sink;
  private final Batches batches;
  private final @Nullable Dumps dumps;
  private final TracerLifecycleListener listener;
  private final ListenerCalls calls;
  private final TimeSource time;
  private final long flushInterval;
  private final Duration emergencyWait;
  private final Queue<CountDownLatch> flushes = new ConcurrentLinkedQueue<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final Loop loop;
  private volatile @Nullable Deadline closing;
  private volatile Duration rescue = LAST_WAIT;
  private volatile @Nullable Thread draining;

  // Confined to the thread that drains.
  private long lastFlush;
  private int failures;

  /**
   * What a flight recorder keeps in memory until it dumps.
   *
   * @param age how old events may be that it dumps; null for any age
   */
  public record Keep(@Nullable Duration age) {}

  /**
   * A drain that has not been started.
   *
   * @param emergencyWait how long the emergency file may take at the end, if there is time
   * @param keep what a flight recorder keeps; null to write to the sink as events come
   */
  public Drain(
      Collector collector,
      TraceSink sink,
      Drops drops,
      SinkWatch watch,
      PersistedCounters persisted,
      EmergencySave emergencySave,
      TracerLifecycleListener listener,
      TimeSource time,
      Duration flushInterval,
      Duration emergencyWait,
      @Nullable Keep keep) {
    this.sink = new SinkCalls(sink, watch, time);
    this.batches = new Batches(collector, this.sink, drops, persisted, emergencySave);
    this.dumps = keep == null ? null : new Dumps(sink, watch, batches, keep.age(), time);
    this.listener = listener;
    this.calls = new ListenerCalls("tracer", time);
    this.time = time;
    this.flushInterval = flushInterval.toNanos();
    this.emergencyWait = emergencyWait;
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

  /** How many events it has copied out of rings in use and not written. */
  public long eventsInCopies() {
    return batches.eventsInCopies();
  }

  /** How many events it has copied out of rings in use so far. */
  public long copied() {
    return batches.copied();
  }

  /**
   * Has what is in memory dumped, and waits for it.
   *
   * @param file the file to make; null for one that the sink names
   * @throws IOException if it fails, or has not ended in time
   * @throws InterruptedException if the calling thread is interrupted
   */
  public TraceDump dump(@Nullable Path file, String reason, Deadline deadline)
      throws IOException, InterruptedException {
    Dumps.Request request = new Dumps.Request(file, reason);
    add(request);
    try {
      return request.await(deadline);
    } finally {
      if (dumps != null) {
        dumps.remove(request);
      }
    }
  }

  /** Has what is in memory dumped soon, to a file that the sink names. */
  public void dumpSoon(String reason) {
    add(new Dumps.Request(null, reason));
  }

  private void add(Dumps.Request request) {
    if (dumps == null) {
      throw new IllegalStateException("not a flight recorder");
    }
    dumps.add(request);
    if (end.getCount() == 0) { // perhaps after the end has looked
      dumps.end();
    }
    loop.wakeUp();
  }

  /**
   * Waits until all that was recorded before is with the sink, and the sink was flushed.
   *
   * @return whether that came to pass in time; false in a flight recorder
   * @throws InterruptedException if the calling thread is interrupted
   */
  public boolean flush(Deadline deadline) throws InterruptedException {
    if (dumps != null) {
      return false;
    }
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
        if (deadline == null || hasMore()) {
          return BACKOFF.delay(failures);
        }
        end();
      }
    }
    if (batches.isGivenUp()) {
      batches.dropInHand(DropReason.DISK_SLOW, rescue);
      end();
    }
    return Duration.ofNanos(Math.max(0, flushInterval - (time.nanoTime() - lastFlush)));
  }

  /** Whether there is something to try again for: a sink that fails is not waited for otherwise. */
  private boolean hasMore() {
    return !batches.isEmpty() || sink.hasUnflushed();
  }

  private void drain() throws IOException {
    if (dumps != null) {
      dumps.run();
      lastFlush = time.nanoTime();
      sink.checkDumps(); // after the dumps: those to another place may succeed
      return;
    }
    sink.open();
    // Seen before the rings are looked at: what was recorded before the wish is found.
    List<CountDownLatch> wishes = List.copyOf(flushes);
    boolean complete = batches.writeSealed();
    if (!wishes.isEmpty() || time.nanoTime() - lastFlush >= flushInterval) {
      boolean flushed = batches.flush();
      sink.flush();
      lastFlush = time.nanoTime();
      if (flushed) {
        flushes.removeAll(wishes);
        wishes.forEach(CountDownLatch::countDown);
      }
      complete &= flushed;
    }
    if (!complete) {
      loop.wakeUp();
    }
  }

  /**
   * Writes what is left, as far as time allows, drops the rest with a reason, and closes the sink.
   * The last part of the time is for critical events: they go to the emergency file then.
   *
   * <p>A caller that is interrupted waits no longer than a second; one that is called by the drain
   * itself, as a listener is, does not wait at all.
   *
   * @return false if the sink did not answer, or nobody waited: the rest follows when it does
   */
  public boolean close(Deadline deadline) {
    loop.start(); // also if it never ran: what was recorded is to be written
    Deadline toWrite = withRescue(deadline.remaining());
    closing = toWrite; // from now on the loop may end itself
    loop.wakeUp();
    if (Thread.currentThread().equals(draining)) {
      return false;
    }
    boolean interrupted = false;
    boolean ended = false;
    try {
      ended = toWrite.await(end);
    } catch (InterruptedException e) {
      interrupted = true;
      rescue = LAST_WAIT;
      ended = endsWithin(LAST_WAIT);
    }
    if (!ended) {
      batches.giveUp(DropReason.DISK_SLOW, rescue);
      loop.wakeUp();
      ended = endsWithin(LAST_WAIT) || (batches.isSaving() && endsWithin(rescue));
    }
    loop.close(Duration.ZERO); // interrupts a sink that hangs
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return ended;
  }

  /**
   * Sets aside what the emergency file may take: emergencyWait, half of the time at most. A second
   * of it comes after that time.
   *
   * @return until when the sink may write
   */
  private Deadline withRescue(Duration left) {
    Duration half = left.dividedBy(2);
    Duration wanted = emergencyWait.compareTo(half) < 0 ? emergencyWait : half;
    rescue = wanted.compareTo(LAST_WAIT) < 0 ? LAST_WAIT : wanted;
    return Deadline.after(left.minus(rescue).plus(LAST_WAIT), time);
  }

  private boolean endsWithin(Duration wait) {
    return Deadline.after(wait, TimeSource.system()).awaitUninterruptibly(end);
  }

  /** In the loop: everything is written, or given up, or it is tried again. */
  private void finish(Deadline deadline) throws IOException {
    if (deadline.isOver()) {
      batches.giveUp(DropReason.DISK_SLOW, rescue);
    }
    if (dumps != null) {
      dumps.run();
      dumps.write("close");
      end();
      return;
    }
    sink.open();
    if (batches.writeSealed() && batches.flush() && batches.writeSealed()) {
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
      if (dumps != null) {
        dumps.end();
      }
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
