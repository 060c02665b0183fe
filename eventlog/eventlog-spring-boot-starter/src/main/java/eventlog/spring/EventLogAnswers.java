package eventlog.spring;

import eventlog.EventLogMetrics;
import eventlog.SpilloverStatus;
import holdfast.spring.boot.LedgerAnswer;
import java.nio.file.Path;
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
   * @param ledger of this process
   */
  record Report(
      Queue queue,
      String circuit,
      @Nullable Disk spillover,
      EventLogMetrics counts,
      LedgerAnswer ledger)
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
}
