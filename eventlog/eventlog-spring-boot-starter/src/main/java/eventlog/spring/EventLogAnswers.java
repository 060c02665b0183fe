package eventlog.spring;

import eventlog.EventLogMetrics;
import eventlog.SpilloverStatus;
import holdfast.ledger.Books;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** What the endpoint answers; Actuator writes it as JSON and leaves out what is null. */
final class EventLogAnswers {

  private EventLogAnswers() {}

  /**
   * All numbers.
   *
   * @param queue the main queue
   * @param circuit what the breaker does: CLOSED, OPEN or HALF_OPEN
   * @param spillover the disk; null if spillover is off
   * @param counts since the process was started
   * @param books of this process
   */
  record Report(
      Queue queue,
      String circuit,
      @Nullable Disk spillover,
      EventLogMetrics counts,
      MemoryBooks books)
      implements OperationResponseBody {}

  /**
   * The main queue.
   *
   * @param depth events in it
   * @param capacity events it has room for
   */
  record Queue(int depth, int capacity) {}

  /**
   * What is on disk.
   *
   * @param directory the directory of this process; null while there is none to be had
   * @param failing whether it could not be written lately
   * @param waiting events that wait to be written
   * @param events events not yet answered for
   * @param maxEvents how many there may be
   * @param bytes of the active and the replay file
   * @param maxBytes how many there may be
   * @param quarantined lines set aside
   * @param replay the replay file; null if there is none
   */
  record Disk(
      @Nullable String directory,
      boolean failing,
      long waiting,
      long events,
      long maxEvents,
      long bytes,
      long maxBytes,
      long quarantined,
      @Nullable Replay replay) {

    static Disk of(SpilloverStatus status) {
      Path directory = status.directory();
      return new Disk(
          directory == null ? null : directory.toString(),
          status.failing(),
          status.waiting(),
          status.events(),
          status.maxEvents(),
          status.bytes(),
          status.maxBytes(),
          status.quarantined(),
          status.replayBytes() == 0
              ? null
              : new Replay(status.replayBytes(), status.replayedBytes()));
    }
  }

  /**
   * The replay file.
   *
   * @param bytes its bytes
   * @param sentBytes how many of them are sent
   */
  record Replay(long bytes, long sentBytes) {}

  /**
   * The books: accepted + found = delivered + held + lost.
   *
   * @param accepted what was logged
   * @param found what an earlier process had left on disk
   * @param delivered what the API has answered for
   * @param held what is still there
   * @param heldBy the same by place
   * @param lost what is gone for good
   * @param lostBy the same by reason
   * @param balanced whether everything is accounted for
   */
  record MemoryBooks(
      long accepted,
      long found,
      long delivered,
      long held,
      Map<String, Long> heldBy,
      long lost,
      Map<String, Long> lostBy,
      boolean balanced) {

    static MemoryBooks of(Books books) {
      return new MemoryBooks(
          books.accepted(),
          books.found(),
          books.delivered(),
          books.held(),
          books.measuredByPlace(),
          books.lost(),
          books.lostByReason(),
          books.isBalanced());
    }
  }
}
