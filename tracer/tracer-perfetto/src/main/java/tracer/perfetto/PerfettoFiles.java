package tracer.perfetto;

import holdfast.problems.Problems;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tracer.sink.DataLoss;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;
import tracer.sink.TraceStart;

/**
 * A sink that writes Perfetto traces: a directory of segment files, each of which the viewer of
 * Perfetto opens as it is.
 *
 * <pre>{@code
 * Tracer.builder(PerfettoFiles.in(directory).segmentBytes(16 << 20)).build();
 * }</pre>
 *
 * <p>What was written is in the file when the process is killed; a loss of power may take what was
 * not forced. Settings are made before the tracer is started. Not safe for use by many threads, but
 * for {@link #bytesWritten}.
 */
public final class PerfettoFiles implements TraceSink {
  /** The default of segmentBytes: {@value}. */
  public static final long DEFAULT_SEGMENT_BYTES = 64L * 1024 * 1024;

  /** The default of totalBytes: {@value}. */
  public static final long DEFAULT_TOTAL_BYTES = 1024L * 1024 * 1024;

  private final Path directory;
  private final WireWriter out;
  private long segmentBytes = DEFAULT_SEGMENT_BYTES;
  private long totalBytes = DEFAULT_TOTAL_BYTES;
  private boolean forced;
  private boolean encoded;
  private boolean hadOpenSpans;
  private boolean beganAgain;
  private String processName = TraceOrigin.defaultProcessName();
  private @Nullable Segments segments;
  private @Nullable PacketEncoder encoder;
  private final AtomicLong written;
  private final AtomicInteger dumps = new AtomicInteger();
  private final @Nullable PerfettoFiles parent;
  private final @Nullable Path only;

  private PerfettoFiles(Path directory) {
    this.directory = Objects.requireNonNull(directory, "directory");
    this.out = new WireWriter();
    this.written = new AtomicLong();
    this.parent = null;
    this.only = null;
  }

  /** One dump. Spans that were open at the end of the one before are open in it. */
  private PerfettoFiles(PerfettoFiles parent, Path file) {
    this.directory = parent.directory;
    this.out = parent.out;
    this.written = parent.written;
    this.segmentBytes = parent.segmentBytes;
    this.totalBytes = parent.totalBytes;
    this.forced = parent.forced;
    this.processName = parent.processName;
    this.parent = parent;
    this.only = Objects.requireNonNull(file, "file");
  }

  /**
   * A sink with defaults.
   *
   * @param directory where the files go; made if it is not there
   * @return the sink
   */
  public static PerfettoFiles in(Path directory) {
    return new PerfettoFiles(directory);
  }

  /**
   * Sets how large a file may grow; only one that holds a single batch may be larger.
   *
   * @throws IllegalArgumentException if that is less than 1
   */
  public PerfettoFiles segmentBytes(long segmentBytes) {
    this.segmentBytes = positive("segmentBytes", segmentBytes);
    return this;
  }

  /**
   * Sets how large all files of the directory may be together; the oldest are deleted. The one that
   * is being written is kept in any case.
   *
   * @throws IllegalArgumentException if that is less than 1
   */
  public PerfettoFiles totalBytes(long totalBytes) {
    this.totalBytes = positive("totalBytes", totalBytes);
    return this;
  }

  private static long positive(String setting, long value) {
    new Problems("PerfettoFiles").require(value > 0, setting, "be 1 or more", value).throwIfAny();
    return value;
  }

  /** Sets whether each flush forces the file to the disk; false by default. */
  public PerfettoFiles forced(boolean forced) {
    this.forced = forced;
    return this;
  }

  /**
   * Sets the name of this process in the files; by default its main class or jar.
   *
   * @throws IllegalArgumentException if it is blank
   */
  public PerfettoFiles processName(String processName) {
    Objects.requireNonNull(processName, "processName");
    new Problems("PerfettoFiles")
        .require(!processName.isBlank(), "processName", "not be blank", processName)
        .throwIfAny();
    this.processName = processName;
    return this;
  }

  @Override
  public void open(TraceStart start) throws IOException {
    if (segments != null) {
      throw new IllegalStateException(
          "PerfettoFiles must be for one tracer but another has opened it; make one for each");
    }
    segments = open(start.instant());
    encoder = parent == null ? newEncoder(start) : parent.encoderOfDumps(start);
  }

  private PacketEncoder newEncoder(TraceStart start) {
    return new PacketEncoder(out, start, TraceOrigin.of(start, processName));
  }

  private PacketEncoder encoderOfDumps(TraceStart start) {
    if (encoder == null) {
      encoder = newEncoder(start);
    }
    return encoder;
  }

  private Segments open(Instant start) throws IOException {
    if (only == null) {
      return new Segments(directory, start, segmentBytes, totalBytes, forced);
    }
    return Segments.single(only, directory, segmentBytes, totalBytes, forced);
  }

  @Override
  public Path newDumpFile() {
    return Segments.newDump(directory, TimeSource.system().instant(), dumps.getAndIncrement());
  }

  @Override
  public void checkDumps() throws IOException {
    Segments.checkDirectory(directory);
  }

  @Override
  public PerfettoFiles dumpTo(Path file) {
    return new PerfettoFiles(this, file);
  }

  @Override
  public void encode(TraceBatch batch) {
    prepare(encoding -> encoding.events(batch));
    encoded = true;
  }

  /** Encodes something in memory, as if what failed before had not been. */
  private void prepare(Consumer<PacketEncoder> what) {
    PacketEncoder encoding = opened(encoder);
    encoding.open().undo();
    out.clear();
    hadOpenSpans = !encoding.open().isEmpty();
    // What is open begins again in a file that has nothing yet.
    beganAgain = hadOpenSpans && opened(segments).isNew();
    if (beganAgain) {
      encoding.beginFile();
    }
    what.accept(encoding);
  }

  @Override
  public void write(TraceBatch batch) throws IOException {
    if (!encoded) { // called by a sink that forwards to this one, and does not encode
      if (opened(segments).isFull(opened(encoder).open().bytesToEnd())) {
        endFile();
      }
      encode(batch);
    }
    encoded = false;
    append(encoding -> encoding.events(batch));
  }

  @Override
  public void lost(DataLoss loss) throws IOException {
    prepareAndAppend(encoding -> encoding.loss(loss));
  }

  /**
   * Appends what was prepared.
   *
   * @param what prepares it once more, for another file
   */
  private void append(Consumer<PacketEncoder> what) throws IOException {
    Segments files = opened(segments);
    OpenSpans open = opened(encoder).open();
    if (files.isFull(out.size() + open.bytesToEnd())) {
      if (hadOpenSpans) {
        endFile();
      } else {
        files.endFile();
      }
    }
    prepareForNewFile(what);
    if (!files.append(out.bytes(), out.size())) {
      prepareForNewFile(what);
      if (!files.append(out.bytes(), out.size())) {
        throw files.deletedAlways();
      }
    }
    open.keep();
    written.addAndGet(out.size());
  }

  private void prepareForNewFile(Consumer<PacketEncoder> what) {
    if (hadOpenSpans && !beganAgain && opened(segments).isNew()) {
      prepare(what);
    }
  }

  /** Ends all open spans in the file; the next append begins another. */
  private void endFile() throws IOException {
    Segments files = opened(segments);
    PacketEncoder encoding = opened(encoder);
    encoding.open().undo();
    out.clear();
    encoding.endFile();
    files.append(out.bytes(), out.size()); // if it was deleted, nobody needs these ends
    encoding.open().keep();
    files.endFile();
  }

  @Override
  public void flush() throws IOException {
    OpenSpans open = opened(encoder).open();
    if (parent != null) {
      open.flushed(); // a dump ends with what has come
    }
    flush(open);
    open.flushed();
    if (forced) {
      opened(segments).force();
    }
  }

  private void flush(OpenSpans open) throws IOException {
    open.undo(); // what a batch has changed that failed
    if (open.needsFlush()) {
      prepareAndAppend(PacketEncoder::flush);
    }
    while (open.async().needsFlush()) {
      prepareAndAppend(PacketEncoder::asyncFlush);
    }
  }

  private void prepareAndAppend(Consumer<PacketEncoder> what) throws IOException {
    prepare(what);
    append(what);
  }

  @Override
  public long bytesWritten() {
    return written.get();
  }

  @Override
  public void close() throws IOException {
    Segments open = segments;
    if (open == null) {
      return;
    }
    try (open) {
      if (parent == null) {
        finish();
      } else if (!open.isNew() && !opened(encoder).open().isEmpty()) {
        endFile(); // what is open goes on in the next dump
      }
    } finally {
      segments = null;
    }
  }

  private void finish() throws IOException {
    OpenSpans open = opened(encoder).open();
    open.flushed();
    flush(open);
    if (!open.isEmpty()) {
      prepareAndAppend(PacketEncoder::finish);
    }
  }

  private static <T> T opened(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("PerfettoFiles is not open; a tracer opens it");
    }
    return part;
  }
}
