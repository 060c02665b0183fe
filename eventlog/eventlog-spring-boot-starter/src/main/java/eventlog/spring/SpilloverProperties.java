package eventlog.spring;

import eventlog.AsyncEventLoggerBuilder;
import eventlog.ForcePolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What can be set under {@code eventlog.async} about the disk. Not safe for use by many threads.
 */
class SpilloverProperties {
  static final long MB = 1024L * 1024;

  /** The directory for events that cannot be sent; spillover is off unless set. */
  private @Nullable String spilloverPath;

  /** The pause between two polls of the disk. */
  private Duration replayInterval = AsyncEventLoggerBuilder.DEFAULT_REPLAY_INTERVAL;

  /** How many events from disk one request carries at most; ten times the batch size unless set. */
  private @Nullable Integer replayBatchSize;

  /** How fast events from disk are sent at most. */
  private int maxReplayEventsPerSecond =
      AsyncEventLoggerBuilder.DEFAULT_MAX_REPLAY_EVENTS_PER_SECOND;

  /** How often the API may fail for an event from disk alone before the event is set aside. */
  private int maxReplayTries = AsyncEventLoggerBuilder.DEFAULT_MAX_REPLAY_TRIES;

  /** How many events may be on disk that are not yet answered for. */
  private long maxSpilloverEvents = AsyncEventLoggerBuilder.DEFAULT_MAX_SPILLOVER_EVENTS;

  /** How large the files on disk may be together, in megabytes. */
  private long maxSpilloverSizeMb = AsyncEventLoggerBuilder.DEFAULT_MAX_SPILLOVER_SIZE_BYTES / MB;

  /** How large the quarantine may be, in megabytes. */
  private long maxQuarantineSizeMb = AsyncEventLoggerBuilder.DEFAULT_MAX_QUARANTINE_SIZE_BYTES / MB;

  /** How many bytes one event may have as JSON. */
  private int maxEntryBytes = AsyncEventLoggerBuilder.DEFAULT_MAX_ENTRY_BYTES;

  /** When the file on disk is fsynced. */
  private ForcePolicy forcePolicy = ForcePolicy.INTERVAL;

  /** How long after writing the file is fsynced, under the policy interval. */
  private Duration forceInterval = AsyncEventLoggerBuilder.DEFAULT_FORCE_INTERVAL;

  public @Nullable String getSpilloverPath() {
    return spilloverPath;
  }

  public void setSpilloverPath(@Nullable String spilloverPath) {
    this.spilloverPath = spilloverPath;
  }

  public Duration getReplayInterval() {
    return replayInterval;
  }

  public void setReplayInterval(Duration replayInterval) {
    this.replayInterval = replayInterval;
  }

  public long getReplayIntervalMs() {
    return replayInterval.toMillis();
  }

  /** The pause between two polls of the disk, in milliseconds; replay-interval is the same. */
  public void setReplayIntervalMs(long replayIntervalMs) {
    this.replayInterval = Duration.ofMillis(replayIntervalMs);
  }

  public @Nullable Integer getReplayBatchSize() {
    return replayBatchSize;
  }

  public void setReplayBatchSize(@Nullable Integer replayBatchSize) {
    this.replayBatchSize = replayBatchSize;
  }

  public int getMaxReplayEventsPerSecond() {
    return maxReplayEventsPerSecond;
  }

  public void setMaxReplayEventsPerSecond(int maxReplayEventsPerSecond) {
    this.maxReplayEventsPerSecond = maxReplayEventsPerSecond;
  }

  public int getMaxReplayTries() {
    return maxReplayTries;
  }

  public void setMaxReplayTries(int maxReplayTries) {
    this.maxReplayTries = maxReplayTries;
  }

  public long getMaxSpilloverEvents() {
    return maxSpilloverEvents;
  }

  public void setMaxSpilloverEvents(long maxSpilloverEvents) {
    this.maxSpilloverEvents = maxSpilloverEvents;
  }

  public long getMaxSpilloverSizeMb() {
    return maxSpilloverSizeMb;
  }

  public void setMaxSpilloverSizeMb(long maxSpilloverSizeMb) {
    this.maxSpilloverSizeMb = maxSpilloverSizeMb;
  }

  public long getMaxQuarantineSizeMb() {
    return maxQuarantineSizeMb;
  }

  public void setMaxQuarantineSizeMb(long maxQuarantineSizeMb) {
    this.maxQuarantineSizeMb = maxQuarantineSizeMb;
  }

  public int getMaxEntryBytes() {
    return maxEntryBytes;
  }

  public void setMaxEntryBytes(int maxEntryBytes) {
    this.maxEntryBytes = maxEntryBytes;
  }

  public ForcePolicy getForcePolicy() {
    return forcePolicy;
  }

  public void setForcePolicy(ForcePolicy forcePolicy) {
    this.forcePolicy = forcePolicy;
  }

  public Duration getForceInterval() {
    return forceInterval;
  }

  public void setForceInterval(Duration forceInterval) {
    this.forceInterval = forceInterval;
  }
}
