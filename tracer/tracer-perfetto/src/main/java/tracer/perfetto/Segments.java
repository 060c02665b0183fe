package tracer.perfetto;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.files.PrivateFiles;
import holdfast.log.LibraryLogger;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of a directory: appends to the newest, begins another when it is full, deletes the
 * oldest. Only their owner may read them. An append that fails leaves nothing behind. Not safe for
 * use by many threads.
 */
final class Segments {
  static final Pattern NAME = Pattern.compile("trace-\\d{8}T\\d{9}Z-\\d+-\\d{6,}\\.perfetto-trace");

  /** What is written at once; the JDK copies that much to memory outside the heap. */
  private static final int SLICE_BYTES = 1024 * 1024;

  private static final String SUFFIX = ".perfetto-trace";
  private static final System.Logger LOG = LibraryLogger.of("tracer");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssSSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path directory;
  private final String prefix;
  private final long segmentBytes;
  private final long totalBytes;
  private final boolean forced;
  private int number;
  private long position;
  private @Nullable Path file;
  private @Nullable FileChannel channel;

  Segments(Path directory, Instant start, long segmentBytes, long totalBytes, boolean forced)
      throws IOException {
    this.directory = directory;
    this.prefix = "trace-" + TIME.format(start) + "-" + ProcessHandle.current().pid() + "-";
    this.segmentBytes = Math.min(segmentBytes, Math.max(1, totalBytes / 2));
    this.totalBytes = totalBytes;
    this.forced = forced;
    try {
      PrivateFiles.createDirectories(directory);
    } catch (IOException e) {
      throw refused(e);
    }
  }

  private IOException refused(IOException e) {
    return new IOException(
        "the trace directory %s must be writable but is not: %s; make it a directory that this process may write to, or take another with PerfettoFiles.in(...)"
            .formatted(directory, e),
        e);
  }

  void append(byte[] bytes, int length) throws IOException {
    write(channelFor(length), bytes, length);
    if (!isThere()) { // deleted, by somebody who keeps the directory small perhaps
      leave();
      write(channelFor(length), bytes, length);
      if (!isThere()) {
        leave();
        throw new NoSuchFileException(String.valueOf(file), null, "deleted as soon as written");
      }
    }
  }

  private boolean isThere() {
    return file != null && Files.exists(file);
  }

  private void leave() throws IOException {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }

  private void write(FileChannel open, byte[] bytes, int length) throws IOException {
    boolean whole = false;
    try {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      int done = 0;
      while (done < length) {
        buffer.limit(Math.min(length, done + SLICE_BYTES)).position(done);
        done += open.write(buffer, position + done);
      }
      position += length;
      whole = true;
    } finally {
      if (!whole) {
        cutOff(open);
      }
    }
  }

  private FileChannel channelFor(int length) throws IOException {
    FileChannel open = channel;
    boolean fits = position == 0 || position + length <= segmentBytes;
    if (open != null && open.isOpen() && fits) {
      return open;
    }
    if (open != null) {
      channel = null;
      end(open);
    }
    try {
      PrivateFiles.createDirectories(directory); // somebody may have deleted it meanwhile
      deleteOldest(length);
      open = beginAnother();
    } catch (IOException e) {
      throw refused(e);
    }
    position = 0;
    channel = open;
    return open;
  }

  private void end(FileChannel open) throws IOException {
    try (open) {
      if (forced && open.isOpen()) {
        open.force(false);
      }
    }
  }

  /** Another tracer of this process may have begun one of the same name. */
  private FileChannel beginAnother() throws IOException {
    while (true) {
      Path next = directory.resolve(prefix + String.format(Locale.ROOT, "%06d", number) + SUFFIX);
      try {
        FileChannel open =
            PrivateFiles.open(next, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        number++;
        file = next;
        return open;
      } catch (FileAlreadyExistsException e) {
        number++;
      }
    }
  }

  /** What is left of a failed append; if it cannot be cut off, the next goes to another file. */
  private void cutOff(FileChannel open) {
    try {
      open.truncate(position);
    } catch (IOException e) {
      LOG.log(WARNING, "tracer segment has a torn end", e);
      channel = null;
      closeTorn(open);
    }
  }

  private static void closeTorn(FileChannel open) {
    try {
      open.close();
    } catch (IOException e) {
      LOG.log(WARNING, "tracer segment cannot be closed", e);
    }
  }

  /** Makes room for a segment. The oldest is the one that was written to longest ago. */
  private void deleteOldest(int length) throws IOException {
    List<Old> files = new ArrayList<>();
    for (Path path : list(directory)) {
      Old.of(path).ifPresent(files::add);
    }
    files.sort(Comparator.comparing(Old::writtenAt)); // of the same time: as they were, by name
    long sum = Math.max(segmentBytes, length) + files.stream().mapToLong(Old::size).sum();
    for (Old old : files) {
      if (sum <= totalBytes) {
        return;
      }
      if (deleted(old.path())) {
        sum -= old.size();
      }
    }
  }

  /** One that cannot be deleted, as somebody else's, keeps nobody from writing. */
  private static boolean deleted(Path old) {
    try {
      Files.deleteIfExists(old);
      return true;
    } catch (IOException e) {
      LOG.log(WARNING, "tracer segment cannot be deleted path=" + old, e);
      return false;
    }
  }

  /** A segment that may be deleted. */
  private record Old(Path path, long size, FileTime writtenAt) {
    static Optional<Old> of(Path path) throws IOException {
      try {
        BasicFileAttributes found =
            Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return Optional.of(new Old(path, found.size(), found.lastModifiedTime()));
      } catch (NoSuchFileException e) {
        return Optional.empty(); // another process that keeps the same directory small deleted it
      }
    }
  }

  /** The segments of a directory, the oldest first. */
  static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> NAME.matcher(file.getFileName().toString()).matches())
          .sorted()
          .toList();
    }
  }

  void force() throws IOException {
    FileChannel open = channel;
    if (open != null) {
      open.force(false);
    }
  }

  void close() throws IOException {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      try (open) {
        open.force(false);
      }
    }
  }
}
