package tracer.drain;

import holdfast.time.TimeSource;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Supplier;
import tracer.lane.SinkWatch;
import tracer.sink.DataLoss;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;
import tracer.sink.TraceStart;

/** Calls the sink, watched and measured. Confined to the thread that drains. */
final class SinkCalls {
  private static final int READINGS = 10;

  private final TraceSink sink;
  private final SinkWatch watch;
  private final TimeSource time;
  private final EncoderLatency latency = new EncoderLatency();
  private final TraceStart start;
  private boolean isOpen;
  private boolean hasUnflushed;

  SinkCalls(TraceSink sink, SinkWatch watch, TimeSource time) {
    this.sink = sink;
    this.watch = watch;
    this.time = time;
    this.start = now(time);
  }

  /**
   * The moment now on both clocks. Of several readings the one counts during which the least time
   * passed: a thread that loses its processor between the two clocks would move all events by that
   * time, and those of processes that are joined would be out of order.
   */
  static TraceStart now(TimeSource time) {
    TraceStart now = new TraceStart(time.instant(), time.nanoTime());
    long least = Long.MAX_VALUE;
    for (int i = 0; i < READINGS; i++) {
      long before = time.nanoTime();
      Instant instant = time.instant();
      long took = time.nanoTime() - before;
      if (took < least) {
        least = took;
        now = new TraceStart(instant, before + took / 2);
      }
    }
    return now;
  }

  /** Something the sink is asked to do. */
  @FunctionalInterface
  private interface Call {
    void run() throws IOException;
  }

  EncoderLatency latency() {
    return latency;
  }

  void open() throws IOException {
    if (!isOpen) {
      onDisk(() -> sink.open(start));
      isOpen = true;
    }
  }

  /**
   * Has the sink of a flight recorder, which is never opened, check once that it can write dumps.
   */
  void checkDumps() throws IOException {
    if (!isOpen) {
      onDisk(sink::checkDumps);
      isOpen = true;
    }
  }

  /** Whether it has taken something that it was not told to hand on. */
  boolean hasUnflushed() {
    return hasUnflushed;
  }

  /** Has the sink take a batch: first in memory, then on the disk, each time from its beginning. */
  void write(Supplier<TraceBatch> batch) throws IOException {
    long began = time.nanoTime();
    run(() -> sink.encode(batch.get()));
    onDisk(() -> sink.write(batch.get()));
    latency.add(time.nanoTime() - began);
    hasUnflushed = true;
  }

  /** The batches of a ring follow. */
  void ringBegins() {
    watch.ringBegins(time.nanoTime());
  }

  /** All batches of the ring were taken, or one was not. */
  void ringEnded() {
    watch.ringEnded(time.nanoTime());
  }

  /** No sealed ring is left. */
  void caughtUp() {
    watch.caughtUp();
  }

  void lost(DataLoss loss) throws IOException {
    onDisk(() -> sink.lost(loss));
    hasUnflushed = true;
  }

  void flush() throws IOException {
    if (hasUnflushed) {
      onDisk(sink::flush);
      hasUnflushed = false;
    }
  }

  void close() throws IOException {
    onDisk(sink::close);
  }

  private void onDisk(Call call) throws IOException {
    boolean failed = true;
    watch.diskBegins(time.nanoTime());
    try {
      run(call);
      failed = false;
    } finally {
      watch.diskEnded(failed);
    }
  }

  private static void run(Call call) throws IOException {
    try {
      call.run();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Throwable e) { // whatever a sink throws, declared or not, is its failure
      throw new IOException("the sink failed", e);
    }
  }
}
