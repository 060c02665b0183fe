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
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tracer.TraceEvent;

/**
 * The last way of a critical event that no ring has room for: a file of its own, written and forced
 * by a thread of its own, which is started with the first event. Only its owner may read it, and it
 * is never written through a link. Safe for use by many threads.
 */
public final class EmergencyFile {
  /** The bytes that an event may have to be taken: {@value}. */
  static final int MOST_BYTES = 16 * 1024 * 1024;

  private static final System.Logger LOG = LibraryLogger.of("tracer");
  private static final int MOST_WAITING = 64;
  private static final int SLICE_BYTES = 1024 * 1024;
  private static final Set<PosixFilePermission> OWNER_ALONE =
      PosixFilePermissions.fromString("rw-------");
  private static final Entry END = new Entry(new byte[0]);

  private final Path path;
  private final BlockingQueue<Entry> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private volatile boolean closed;
  private @Nullable Thread thread;

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
    final byte[] line;
    final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    final CountDownLatch done = new CountDownLatch(1);
    volatile boolean written;

    Entry(byte[] line) {
      this.line = line;
    }
  }

  /**
   * Writes a line. A caller that is interrupted waits all the same, and stays interrupted.
   *
   * @param line with its line feed
   * @param deadline how long to wait for it at most
   * @return whether it is in the file and forced; false at once if it is closed
   */
  public boolean write(byte[] line, Deadline deadline) {
    if (closed) {
      return false;
    }
    Entry entry = new Entry(line);
    startThread();
    if (!waiting.offer(entry)) {
      return false;
    }
    if (deadline.awaitUninterruptibly(entry.done)) {
      return entry.written;
    }
    // Given up in the middle of writing it may be in the file after all; better than the reverse.
    return !entry.state.compareAndSet(State.WAITING, State.GIVEN_UP) && entry.written;
  }

  private synchronized void startThread() {
    if (thread == null) {
      thread = Threads.daemon("tracer-emergency").newThread(this::work);
      thread.start();
    }
  }

  private void work() {
    try {
      while (!closed || !waiting.isEmpty()) {
        Entry entry = waiting.take();
        if (entry.state.compareAndSet(State.WAITING, State.WRITING)) {
          entry.written = entry != END && append(entry.line);
        }
        entry.done.countDown();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody does
    }
  }

  private boolean append(byte[] line) {
    try (FileChannel channel =
        PrivateFiles.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        Files.setPosixFilePermissions(path, OWNER_ALONE); // somebody else may have made it before
      }
      for (int from = 0; from < line.length; from += SLICE_BYTES) {
        ByteBuffer slice = ByteBuffer.wrap(line, from, Math.min(SLICE_BYTES, line.length - from));
        while (slice.hasRemaining()) {
          channel.write(slice);
        }
      }
      channel.force(false);
      return true;
    } catch (IOException | RuntimeException | Error e) { // the next may go well
      LOG.log(WARNING, "tracer emergency file cannot be written path=" + path, e);
      return false;
    }
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
    closed = true;
    waiting.offer(END); // if there is no room, the thread has something to do, and looks then
  }
}
