package tracer.drain;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Threads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The last way of a critical event that no ring has room for: a file of its own, written and forced
 * by a thread of its own, which is started with the first event. Safe for use by many threads.
 */
public final class EmergencyFile {
  private static final System.Logger LOG = System.getLogger("tracer");
  private static final int MOST_WAITING = 64;

  private final Path path;
  private final BlockingQueue<Entry> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
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
   * Writes a line.
   *
   * @param line with its line feed
   * @param deadline how long to wait for it at most
   * @return whether it is in the file and forced
   */
  public boolean write(byte[] line, Deadline deadline) {
    Entry entry = new Entry(line);
    startThread();
    if (!waiting.offer(entry)) {
      return false;
    }
    boolean interrupted = false;
    try {
      if (deadline.await(entry.done)) {
        return entry.written;
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
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
      while (!Thread.currentThread().isInterrupted()) {
        Entry entry = waiting.take();
        if (entry.state.compareAndSet(State.WAITING, State.WRITING)) {
          entry.written = append(entry.line);
        }
        entry.done.countDown();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed
    }
  }

  private boolean append(byte[] line) {
    try (FileChannel channel =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      ByteBuffer buffer = ByteBuffer.wrap(line);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(false);
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.log(WARNING, "tracer emergency file cannot be written path=" + path, e);
      return false;
    }
  }

  /** Ends the thread. */
  public synchronized void close() {
    if (thread != null) {
      thread.interrupt();
    }
  }
}
