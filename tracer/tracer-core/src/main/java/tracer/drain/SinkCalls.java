package tracer.drain;

import holdfast.time.TimeSource;
import java.io.IOException;
import tracer.lane.SinkWatch;
import tracer.sink.DataLoss;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;
import tracer.sink.TraceStart;

/** Calls the sink, watched and measured. Confined to the thread that drains. */
final class SinkCalls {
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
    this.start = new TraceStart(time.instant(), time.nanoTime());
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
      watched(() -> sink.open(start));
      isOpen = true;
    }
  }

  void write(TraceBatch batch) throws IOException {
    long began = time.nanoTime();
    watched(() -> sink.write(batch));
    latency.add(time.nanoTime() - began);
    hasUnflushed = true;
  }

  void lost(DataLoss loss) throws IOException {
    watched(() -> sink.lost(loss));
    hasUnflushed = true;
  }

  void flush() throws IOException {
    if (hasUnflushed) {
      watched(sink::flush);
      hasUnflushed = false;
    }
  }

  void close() throws IOException {
    watched(sink::close);
  }

  private void watched(Call call) throws IOException {
    watch.begins(time.nanoTime());
    boolean failed = true;
    try {
      call.run();
      failed = false;
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Throwable e) { // whatever a sink throws, declared or not, is its failure
      throw new IOException("the sink failed", e);
    } finally {
      watch.ended(failed);
    }
  }
}
