package tracer.perfetto;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;
import tracer.sink.TraceStart;

/** Writes the file that a process of that number would have written on another host. */
public final class FileOfHost implements TraceSink {
  private final Path file;
  private final String host;
  private final long pid;
  private final WireWriter out = new WireWriter();
  private PacketEncoder encoder;

  /** A sink of the process of a host. */
  public FileOfHost(Path file, String host, long pid) {
    this.file = file;
    this.host = host;
    this.pid = pid;
  }

  @Override
  public void open(TraceStart start) {
    Instant began = start.instant().minusSeconds(1);
    encoder =
        new PacketEncoder(out, start, TraceOrigin.of(host, pid, began, "shop-" + host, start));
  }

  @Override
  public void write(TraceBatch batch) throws IOException {
    out.clear();
    encoder.events(batch);
    encoder.open().keep();
    Files.write(
        file,
        Arrays.copyOf(out.bytes(), out.size()),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
