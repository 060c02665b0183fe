package tracer.perfetto;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.files.PrivateFiles;
import holdfast.log.LibraryLogger;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
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
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of a directory: appends to the newest, begins another when it is full, deletes the
 * oldest. Only their owner may read them. An append that fails leaves nothing behind, and no file
 * if it was the first. Not safe for use by many threads.
 */
final class Segments implements Closeable {
  static final Pattern NAME =
      Pattern.compile("(trace|dump)-\\d{8}T\\d{9}Z-\\d+-\\d{6,}\\.perfetto-trace");

  /** What is written at once; the JDK copies that much to memory outside the heap. */
  private static final int SLICE_BYTES = 1024 * 1024;

  private static final String SUFFIX = ".perfetto-trace";
  private static final System.Logger LOG = LibraryLogger.of("tracer");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssSSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final FileFailures failures;
  private final Path directory;
  private final String prefix;
  private final long segmentBytes;
  private final long totalBytes;
  private final boolean forced;
  private final @Nullable Path only;
  private int number;
  private long position;
  private @Nullable Path file;
  private @Nullable FileChannel channel;

  Segments(Path directory, Instant start, long segmentBytes, long totalBytes, boolean forced)
      throws IOException {
    this(
        new FileFailures(directory, true),
        prefix("trace", start),
        segmentBytes,
        totalBytes,
        forced,
        null);
  }

  private Segments(
      FileFailures failures,
      String prefix,
      long segmentBytes,
      long totalBytes,
      boolean forced,
      @Nullable Path only)
      throws IOException {
    this.failures = failures;
    this.directory = failures.directory();
    this.prefix = prefix;
    this.segmentBytes = Math.min(segmentBytes, Math.max(1, totalBytes / 2));
    this.totalBytes = totalBytes;
    this.forced = forced;
    this.only = only;
    try {
      PrivateFiles.createDirectories(directory);
    } catch (IOException e) {
      throw failures.ofDirectory(e);
    }
  }

  /**
   * A single file, however large it becomes.
   *
   * @param traces the directory of the sink; if the file is in it, it counts as one of its files,
   *     and the oldest of these are deleted
   * @param totalBytes how large the files of that directory may be together
   */
  static Segments single(Path file, Path traces, long segmentBytes, long totalBytes, boolean forced)
      throws IOException {
    Path whole = file.toAbsolutePath();
    Path directory = Objects.requireNonNullElse(whole.getParent(), whole);
    boolean isAmongThem = directory.equals(traces.toAbsolutePath());
    return new Segments(
        new FileFailures(directory, isAmongThem),
        "",
        segmentBytes,
        isAmongThem ? totalBytes : Long.MAX_VALUE,
        forced,
        whole);
  }

  /** A name for a dump that no file of the directory has. */
  static Path newDump(Path directory, Instant now, int number) {
    String prefix = prefix("dump", now);
    Path file;
    int next = number;
    do {
      file = directory.resolve(name(prefix, next++));
    } while (Files.exists(file, LinkOption.NOFOLLOW_LINKS));
    return file;
  }

  /**
   * Makes the directory if it is not there.
   *
   * @throws IOException if that fails, or it cannot be written to
   */
  static void checkDirectory(Path directory) throws IOException {
    try {
      PrivateFiles.createDirectories(directory);
      if (!Files.isWritable(directory)) {
        throw new AccessDeniedException(directory.toString());
      }
    } catch (IOException e) {
      throw new FileFailures(directory, true).ofDirectory(e);
    }
  }

  private static String prefix(String kind, Instant time) {
    return kind + "-" + TIME.format(time) + "-" + ProcessHandle.current().pid() + "-";
  }

  private static String name(String prefix, int number) {
    return prefix + String.format(Locale.ROOT, "%06d", number) + SUFFIX;
  }

  /** Whether so many more bytes do not fit into the file; one that has nothing is never full. */
  boolean isFull(long more) {
    return only == null && !isNew() && position + more > segmentBytes;
  }

  /** Whether what is appended next is the first of a file. */
  boolean isNew() {
    FileChannel open = channel;
    return open == null || !open.isOpen() || position == 0;
  }

  /**
   * Appends to the file, or to another if there is none.
   *
   * @return false if the file was deleted meanwhile, by somebody who keeps the directory small
   *     perhaps
   */
  boolean append(byte[] bytes, int length) throws IOException {
    write(channelFor(length), bytes, length);
    if (!isThere()) {
      leave();
      return false;
    }
    return true;
  }

  /** The failure of an append to a file that is always deleted. */
  NoSuchFileException deletedAlways() {
    return new NoSuchFileException(String.valueOf(file), null, "deleted as soon as written");
  }

  /** Has the next append begin another file. */
  void endFile() throws IOException {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      end(open);
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
    } catch (IOException e) {
      throw notWritten(e);
    } finally {
      if (!whole) {
        cutOff(open);
      }
    }
  }

  private IOException notWritten(IOException e) {
    return failures.ofWrite(file == null ? directory : file, e);
  }

  private FileChannel channelFor(int length) throws IOException {
    FileChannel open = channel;
    if (open != null && open.isOpen()) {
      return open;
    }
    channel = null;
    try {
      PrivateFiles.createDirectories(directory); // somebody may have deleted it meanwhile
      deleteOldest(length);
    } catch (IOException e) {
      throw failures.ofDirectory(e);
    }
    open = beginAnother();
    position = 0;
    channel = open;
    return open;
  }

  private void end(FileChannel open) throws IOException {
    try (open) {
      if (forced && open.isOpen()) {
        force(open);
      }
    }
  }

  /** Another tracer of this process may have begun one of the same name. */
  private FileChannel beginAnother() throws IOException {
    while (true) {
      Path next = only != null ? only : directory.resolve(name(prefix, number));
      try {
        FileChannel open =
            PrivateFiles.open(next, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        number++;
        file = next;
        return open;
      } catch (FileAlreadyExistsException e) {
        if (only != null) {
          throw failures.ofNewFile(only, e);
        }
        number++;
      } catch (IOException e) {
        throw failures.ofNewFile(next, e);
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
      deleteIfEmpty();
    }
  }

  /** Nobody needs a file that has nothing whole. */
  private void deleteIfEmpty() {
    if (position == 0 && file != null) {
      deleted(file);
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
      force(open);
    }
  }

  private void force(FileChannel open) throws IOException {
    try {
      open.force(false);
    } catch (IOException e) {
      throw notWritten(e);
    }
  }

  @Override
  public void close() throws IOException {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      try (open) {
        force(open);
      }
      deleteIfEmpty();
    }
  }
}
