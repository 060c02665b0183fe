package tracer.drain;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import holdfast.lifecycle.Deadline;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import tracer.TraceDump;
import tracer.lane.SinkWatch;
import tracer.sink.TraceSink;

/**
 * The dumps of a flight recorder: each writes what is in memory to a file of its own. Asked for by
 * any thread, written by the one that drains.
 */
final class Dumps {
  private static final System.Logger LOG = LibraryLogger.of("tracer");

  /** How often it is tried to copy from writers that are too busy for a copy. */
  private static final int TRIES = 10;

  private final TraceSink sink;
  private final SinkWatch watch;
  private final Batches batches;
  private final @Nullable Duration age;
  private final TimeSource time;
  private final Queue<Request> requests = new ConcurrentLinkedQueue<>();

  /**
   * The dumps of a sink's kind.
   *
   * @param age how old events may be that are dumped; null for any age
   */
  Dumps(TraceSink sink, SinkWatch watch, Batches batches, @Nullable Duration age, TimeSource time) {
    this.sink = sink;
    this.watch = watch;
    this.batches = batches;
    this.age = age;
    this.time = time;
  }

  /** A dump that somebody wants. */
  static final class Request {
    private final @Nullable Path file;
    private final String reason;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable TraceDump dump;
    private volatile @Nullable Exception failure;

    Request(@Nullable Path file, String reason) {
      this.file = file;
      this.reason = reason;
    }

    /** Waits for the dump. */
    TraceDump await(Deadline deadline) throws IOException, InterruptedException {
      boolean inTime = deadline.await(ended);
      TraceDump written = dump;
      Exception failed = failure;
      if (written != null) {
        return written;
      }
      throw new IOException(
          inTime || failed != null
              ? "the dump failed: " + said(failed)
              : "the dump has not ended in time; the disk or the sink may hang, see closeTimeout",
          failed);
    }

    /** The message alone where the class says no more. */
    private static String said(@Nullable Exception failed) {
      return failed != null && failed.getClass().equals(IOException.class)
          ? String.valueOf(failed.getMessage())
          : String.valueOf(failed);
    }

    private void end(@Nullable TraceDump written, @Nullable Exception failed) {
      dump = written;
      failure = failed;
      ended.countDown();
    }
  }

  /** Asks for a dump; the next {@link #run} writes it. */
  void add(Request request) {
    requests.add(request);
  }

  /** Takes back a request, unless it is being written. */
  void remove(Request request) {
    requests.remove(request);
  }

  /** Writes the dumps that were asked for. */
  void run() {
    batches.sealEnded(time.nanoTime());
    for (Request next = requests.poll(); next != null; next = requests.poll()) {
      answer(next);
    }
  }

  private void answer(Request request) {
    TraceDump dump = null;
    Exception failure = new IllegalStateException("an error has ended the thread that writes");
    try {
      dump = write(request.file, request.reason);
    } catch (IOException | RuntimeException e) {
      failure = e;
      LOG.log(WARNING, "tracer dump failed reason=" + request.reason, e);
    } finally {
      request.end(dump, failure);
    }
  }

  /** Writes a dump to a file that the sink names. */
  void write(String reason) throws IOException {
    write(null, reason);
  }

  private TraceDump write(@Nullable Path given, String reason) throws IOException {
    Path file = given != null ? given : sink.newDumpFile();
    SinkCalls calls = new SinkCalls(sink.dumpTo(file), watch, time);
    batches.writeTo(calls, age, time.nanoTime());
    boolean whole = false;
    try {
      calls.open();
      boolean complete = false;
      for (int i = 0; i < TRIES && !complete; i++) {
        batches.writeSealed(); // also what a dump that failed has left in hand
        complete = batches.flush();
      }
      calls.flush();
      whole = true;
    } catch (IOException e) {
      throw batches.events() == 0 ? e : incomplete(file, e);
    } finally {
      close(calls, whole);
    }
    TraceDump dump = new TraceDump(file, reason, batches.events());
    LOG.log(INFO, line(dump));
    return dump;
  }

  /** Names the file only if there is one. */
  private static String line(TraceDump dump) {
    return dump.events() == 0
        ? "tracer dumped nothing, as nothing was in memory reason=" + dump.reason()
        : "tracer dumped events=%d file=%s reason=%s"
            .formatted(dump.events(), dump.file(), dump.reason());
  }

  /** What was written is no more in memory, so the file stays. */
  private IOException incomplete(Path file, IOException cause) {
    return new IOException(
        "%s; %d events were written before and are in %s, all others stay in memory"
            .formatted(cause.getMessage(), batches.events(), file),
        cause);
  }

  /** A failure to close counts only where all else went well. */
  private static void close(SinkCalls calls, boolean whole) throws IOException {
    try {
      calls.close();
    } catch (IOException | RuntimeException e) {
      if (whole) {
        throw e;
      }
      LOG.log(WARNING, "tracer dump that failed could not be closed", e);
    }
  }

  /** Answers those who still wait: there will be no more dumps. */
  void end() {
    for (Request next = requests.poll(); next != null; next = requests.poll()) {
      next.end(null, new IllegalStateException("the tracer is closed"));
    }
  }
}
