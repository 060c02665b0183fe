package tracer.perfetto;

import holdfast.problems.Problems;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
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
  private final WireWriter out = new WireWriter();
  private long segmentBytes = DEFAULT_SEGMENT_BYTES;
  private long totalBytes = DEFAULT_TOTAL_BYTES;
  private boolean forced;
  private @Nullable Segments segments;
  private @Nullable PacketEncoder encoder;
  private final AtomicLong written = new AtomicLong();

  private PerfettoFiles(Path directory) {
    this.directory = Objects.requireNonNull(directory, "directory");
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

  @Override
  public void open(TraceStart start) throws IOException {
    if (segments != null) {
      throw new IllegalStateException(
          "PerfettoFiles must be for one tracer but another has opened it; make one for each");
    }
    segments = new Segments(directory, start.instant(), segmentBytes, totalBytes, forced);
    encoder = new PacketEncoder(out, start);
  }

  @Override
  public void write(TraceBatch batch) throws IOException {
    out.clear();
    opened(encoder).events(batch);
    append();
  }

  @Override
  public void lost(DataLoss loss) throws IOException {
    out.clear();
    opened(encoder).loss(loss);
    append();
  }

  private void append() throws IOException {
    opened(segments).append(out.bytes(), out.size());
    written.addAndGet(out.size());
  }

  @Override
  public void flush() throws IOException {
    if (forced) {
      opened(segments).force();
    }
  }

  @Override
  public long bytesWritten() {
    return written.get();
  }

  @Override
  public void close() throws IOException {
    Segments open = segments;
    segments = null;
    if (open != null) {
      open.close();
    }
  }

  private static <T> T opened(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("PerfettoFiles is not open; a tracer opens it");
    }
    return part;
  }
}
