package tracer.drain;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.files.PrivateFiles;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Threads;
import holdfast.log.LibraryLogger;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tracer.TraceEvent;

/**
 * The last way of a critical event that no ring has room for: a file of its own, written and forced
 * by a thread of its own, which is started with the first event. Only its owner may read it, and it
 * is never written through a link. It has whole lines only: what a full disk has taken of a line is
 * cut off again. Safe for use by many threads.
 */
public final class EmergencyFile {
  /** The bytes that an event may have to be taken: {@value}. */
  static final int MOST_BYTES = 16 * 1024 * 1024;

  private static final System.Logger LOG = LibraryLogger.of("tracer");
  private static final int MOST_AT_ONCE = 64;
  private static final int SLICE_BYTES = 1024 * 1024;
  private static final byte LINE_FEED = '\n';
  private static final Set<PosixFilePermission> OWNER_ALONE =
      PosixFilePermissions.fromString("rw-------");
  private static final Entry END = new Entry(new byte[0]);

  private final Path path;

  /** What callers wait for: each has one entry here at most, and takes it out when it gives up. */
  private final BlockingQueue<Entry> waiting = new LinkedBlockingQueue<>();

  private boolean closed; // guarded by this
  private @Nullable Thread thread; // guarded by this

  /** A file that is made when it is needed. */
  public EmergencyFile(Path path) {
    this.path = path;
  }

  /** Where an entry is. Only the first move from WAITING counts. */
  private enum State {
    WAITING,
    WRITING,
    GIVEN_UP
  }

  private static final class Entry {
    final byte[] lines;
    final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    final CountDownLatch done = new CountDownLatch(1);
    int appended; // confined to the thread that writes
    volatile int written;

    Entry(byte[] lines) {
      this.lines = lines;
    }
  }

  /**
   * Writes lines. A caller that is interrupted waits all the same, and stays interrupted.
   *
   * @param lines each with its line feed
   * @param deadline how long to wait for them at most
   * @return how many, the first ones, are in the file and forced; 0 at once if it is closed
   */
  public int write(byte[] lines, Deadline deadline) {
    Entry entry = new Entry(lines);
    if (!enter(entry)) {
      return 0;
    }
    if (deadline.awaitUninterruptibly(entry.done)) {
      return entry.written;
    }
    if (entry.state.compareAndSet(State.WAITING, State.GIVEN_UP)) {
      waiting.remove(entry);
      return 0;
    }
    // Given up in the middle of writing they may be in the file after all; better than the reverse.
    return entry.written;
  }

  private synchronized boolean enter(Entry entry) {
    if (closed) {
      return false;
    }
    if (thread == null) {
      thread = Threads.daemon("tracer-emergency").newThread(this::work);
      thread.start();
    }
    return waiting.add(entry);
  }

  private void work() {
    List<Entry> entries = new ArrayList<>();
    try {
      while (!entries.contains(END)) {
        entries.clear();
        entries.add(waiting.take());
        waiting.drainTo(entries, MOST_AT_ONCE - 1);
        write(entries);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody does
    }
  }

  /** Writes lines that nobody has given up, and forces the file once for all of them. */
  private void write(List<Entry> entries) {
    List<Entry> wanted =
        entries.stream()
            .filter(entry -> entry != END)
            .filter(entry -> entry.state.compareAndSet(State.WAITING, State.WRITING))
            .toList();
    boolean forced = !wanted.isEmpty() && append(wanted);
    for (Entry entry : wanted) {
      entry.written = forced ? entry.appended : 0;
      entry.done.countDown();
    }
  }

  private boolean append(List<Entry> entries) {
    boolean wasThere = Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    try (FileChannel channel =
        PrivateFiles.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        Files.setPosixFilePermissions(path, OWNER_ALONE); // somebody else may have made it before
      }
      appendAll(entries, channel);
      channel.force(false);
      if (!wasThere && channel.size() == 0) {
        Files.delete(path); // the disk has not taken anything
      }
      return true;
    } catch (IOException | RuntimeException | Error e) { // the next may go well
      LOG.log(WARNING, "tracer emergency file cannot be written path=" + path, e);
      return false;
    }
  }

  /** Ends a torn line that could not be cut off, or that a process has left that was killed. */
  private void endLastLine(FileChannel channel) throws IOException {
    long size = channel.size();
    if (size == 0) {
      return;
    }
    ByteBuffer last = ByteBuffer.allocate(1);
    try (FileChannel reading = PrivateFiles.open(path, StandardOpenOption.READ)) {
      reading.read(last, size - 1);
    }
    if (last.get(0) != LINE_FEED) {
      channel.write(ByteBuffer.wrap(new byte[] {LINE_FEED}));
    }
  }

  /** Appends what there is room for: a short line may fit where a long one did not. */
  private void appendAll(List<Entry> entries, FileChannel channel) throws IOException {
    endLastLine(channel);
    Throwable failure = null;
    for (Entry entry : entries) {
      long before = channel.size();
      try {
        append(entry.lines, channel);
      } catch (IOException | RuntimeException | Error e) { // costs what is left of this entry
        failure = e;
        cutOff(entry.lines, before, channel);
      }
      entry.appended = lines(entry.lines, channel.size() - before);
    }
    if (failure != null) {
      LOG.log(WARNING, "tracer emergency file has not taken all lines path=" + path, failure);
    }
  }

  private static void append(byte[] lines, FileChannel channel) throws IOException {
    for (int from = 0; from < lines.length; from += SLICE_BYTES) {
      ByteBuffer slice = ByteBuffer.wrap(lines, from, Math.min(SLICE_BYTES, lines.length - from));
      while (slice.hasRemaining()) {
        channel.write(slice);
      }
    }
  }

  /** Cuts off what is torn behind the last whole line. */
  private void cutOff(byte[] lines, long before, FileChannel channel) throws IOException {
    long appended = channel.size() - before;
    if (appended > lines.length) {
      return; // somebody else appends to the same file
    }
    int end = (int) appended;
    while (end > 0 && lines[end - 1] != LINE_FEED) {
      end--;
    }
    channel.truncate(before + end);
  }

  /** How many lines are whole in so many bytes. */
  private static int lines(byte[] lines, long bytes) {
    int count = 0;
    for (int i = 0; i < Math.min(bytes, lines.length); i++) {
      count += lines[i] == LINE_FEED ? 1 : 0;
    }
    return count;
  }

  /**
   * An event as a line: time, thread, name, and the bytes as hexadecimal digits, since nobody knows
   * what they are.
   */
  static byte[] line(Instant when, long thread, TraceEvent event, byte[] bytes) {
    String line =
        when
            + " thread="
            + thread
            + " event="
            + event.name().replaceAll("\\s", "_")
            + " length="
            + bytes.length
            + " bytes="
            + HexFormat.of().formatHex(bytes)
            + "\n";
    return line.getBytes(StandardCharsets.UTF_8);
  }

  /** Takes no more lines; those that wait are written. */
  public synchronized void close() {
    if (!closed) {
      closed = true;
      waiting.add(END); // behind all others
    }
  }
}
