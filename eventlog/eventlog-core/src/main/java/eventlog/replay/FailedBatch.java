package eventlog.replay;

import eventlog.EventLogEntry;
import eventlog.spill.SpillDirectory;
import java.util.HashMap;
import java.util.Map;

/**
 * What is remembered of a batch from disk that has failed, until it is settled. Confined to the
 * replay thread.
 */
final class FailedBatch {
  private final SpillDirectory directory;
  private final long offset;
  private final Map<String, Integer> tries = new HashMap<>();
  private long accepted;
  private int passes;

  /**
   * A batch that has just failed.
   *
   * @param directory where it is
   * @param offset where in the replay file it begins
   * @param accepted how many requests the API has accepted so far
   */
  FailedBatch(SpillDirectory directory, long offset, long accepted) {
    this.directory = directory;
    this.offset = offset;
    this.accepted = accepted;
  }

  boolean is(SpillDirectory other, long otherOffset) {
    return directory.equals(other) && offset == otherOffset;
  }

  /** Counts the passes, so that each can ask with another event; gives the number of this one. */
  int nextPass() {
    return passes++;
  }

  /** Whether the API has accepted a request since it was last seen to. */
  boolean isAcceptedSince(long now) {
    return now > accepted;
  }

  void accepted(long now) {
    accepted = now;
  }

  /** Counts a failure of an event alone, after the API was seen to accept others. */
  void failedAlone(EventLogEntry entry) {
    tries.merge(entry.idempotencyKey(), 1, Integer::sum);
  }

  int tries(EventLogEntry entry) {
    return tries.getOrDefault(entry.idempotencyKey(), 0);
  }
}
