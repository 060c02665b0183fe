package tracer.tool;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import tracer.perfetto.TraceEntry;
import tracer.sink.TracePhase;

/**
 * Entries in the order of their times, however many: those that do not fit into memory are sorted
 * in parts, in temporary files. Entries of the same time stay in the order in which they came.
 * Confined to one call.
 */
final class SortedEntries implements AutoCloseable {
  /** How many entries are in memory at once. */
  private static final int IN_MEMORY = 100_000;

  private static final Comparator<TraceEntry> BY_TIME = Comparator.comparing(TraceEntry::time);

  private final int most;
  private final List<TraceEntry> recent = new ArrayList<>();
  private final List<Path> parts = new ArrayList<>();

  SortedEntries() {
    this(IN_MEMORY);
  }

  SortedEntries(int most) {
    this.most = most;
  }

  /** Adds an entry. */
  void add(TraceEntry entry) {
    recent.add(entry);
    if (recent.size() == most) {
      try {
        writePart();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void writePart() throws IOException {
    try {
      sortAndWrite();
    } catch (IOException e) {
      String directory = System.getProperty("java.io.tmpdir");
      throw new IOException(
          "events cannot be sorted in the temporary directory %s: %s; free space in %s, or set -Djava.io.tmpdir"
              .formatted(directory, e.getMessage(), directory),
          e);
    }
  }

  private void sortAndWrite() throws IOException {
    recent.sort(BY_TIME);
    Path part = Files.createTempFile("tracer-", ".sorted"); // for its owner alone
    parts.add(part);
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(part)))) {
      out.writeInt(recent.size());
      for (TraceEntry entry : recent) {
        write(out, entry);
      }
    }
    recent.clear();
  }

  /** Hands on all entries, the oldest first. */
  void forEach(Consumer<TraceEntry> entries) throws IOException {
    if (parts.isEmpty()) {
      recent.sort(BY_TIME);
      recent.forEach(entries);
      return;
    }
    if (!recent.isEmpty()) {
      writePart();
    }
    List<Part> open = new ArrayList<>();
    try {
      // Parts of the same time in the order in which they were made.
      PriorityQueue<Part> queue =
          new PriorityQueue<>(
              Comparator.comparing((Part part) -> part.next, BY_TIME)
                  .thenComparingInt(part -> part.number));
      for (Path path : parts) {
        Part part = new Part(path, open.size());
        open.add(part);
        queue.add(part);
      }
      for (Part part = queue.poll(); part != null; part = queue.poll()) {
        entries.accept(part.next);
        if (part.advance()) {
          queue.add(part);
        }
      }
    } finally {
      for (Part part : open) {
        part.in.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (Path part : parts) {
      Files.deleteIfExists(part);
    }
  }

  /** A file that is being read. */
  private static final class Part {
    final DataInputStream in;
    final int number;
    private int left;
    TraceEntry next;

    Part(Path path, int number) throws IOException {
      this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path)));
      this.number = number;
      this.left = in.readInt();
      this.next = read(in);
    }

    boolean advance() throws IOException {
      if (--left == 0) {
        return false;
      }
      next = read(in);
      return true;
    }
  }

  private static void write(DataOutputStream out, TraceEntry entry) throws IOException {
    out.writeLong(ChronoUnit.NANOS.between(Instant.EPOCH, entry.time()));
    text(out, entry.lane());
    text(out, entry.name());
    text(out, entry.phase().name());
    out.writeLong(entry.thread());
    text(out, entry.threadName());
    out.writeLong(entry.track());
    out.writeLong(entry.pid());
    text(out, entry.processName());
    out.writeBoolean(entry.isLoss());
    out.writeInt(entry.values().size());
    for (Map.Entry<String, Object> value : entry.values().entrySet()) {
      text(out, value.getKey());
      value(out, value.getValue());
    }
  }

  private static void value(DataOutputStream out, Object value) throws IOException {
    if (value instanceof Long number) {
      out.writeByte('L');
      out.writeLong(number);
    } else if (value instanceof Double number) {
      out.writeByte('D');
      out.writeDouble(number);
    } else if (value instanceof Boolean isTrue) {
      out.writeByte('B');
      out.writeBoolean(isTrue);
    } else {
      out.writeByte('S');
      text(out, value.toString());
    }
  }

  /** A text of any length, which writeUTF does not take. */
  private static void text(DataOutputStream out, String text) throws IOException {
    out.writeInt(text.length());
    out.writeChars(text);
  }

  private static TraceEntry read(DataInputStream in) throws IOException {
    Instant time = Instant.EPOCH.plusNanos(in.readLong());
    String lane = text(in);
    String name = text(in);
    TracePhase phase = TracePhase.valueOf(text(in));
    long thread = in.readLong();
    String threadName = text(in);
    long track = in.readLong();
    long pid = in.readLong();
    String processName = text(in);
    boolean isLoss = in.readBoolean();
    Map<String, Object> values = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      values.put(text(in), value(in));
    }
    return new TraceEntry(
        time, lane, name, phase, thread, threadName, track, pid, processName, values, isLoss);
  }

  private static Object value(DataInputStream in) throws IOException {
    return switch (in.readByte()) {
      case 'L' -> in.readLong();
      case 'D' -> in.readDouble();
      case 'B' -> in.readBoolean();
      default -> text(in);
    };
  }

  private static String text(DataInputStream in) throws IOException {
    char[] text = new char[in.readInt()];
    for (int i = 0; i < text.length; i++) {
      text[i] = in.readChar();
    }
    return new String(text);
  }
}
