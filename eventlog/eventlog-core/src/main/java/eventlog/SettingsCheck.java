package eventlog;

import holdfast.problems.Problems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The rules for the settings of a logger. Confined to one call. */
final class SettingsCheck {
  private static final int MOST_CAPACITY = 1 << 26;
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final int MOST_ENTRY_BYTES = 256 * 1024 * 1024;

  private final Problems problems = new Problems("AsyncEventLogger");

  private SettingsCheck() {}

  /** The settings that are out of range. */
  static Problems of(AsyncEventLoggerBuilder b) {
    return new SettingsCheck().check(b);
  }

  private Problems check(AsyncEventLoggerBuilder b) {
    between("queueCapacity", 1, MOST_CAPACITY, b.queueCapacity);
    atLeast("maxQueueBytes", 1, b.maxQueueBytes);
    between("maxRequestBytes", 1, MOST_ENTRY_BYTES, b.maxRequestBytes);
    atLeast("maxRetries", 0, b.maxRetries);
    between("baseRetryDelay", SHORTEST, b.baseRetryDelay);
    between("maxRetryDelay", b.baseRetryDelay, b.maxRetryDelay);
    atLeast("circuitBreakerThreshold", 1, b.circuitBreakerThreshold);
    between("circuitBreakerReset", SHORTEST, b.circuitBreakerReset);
    between("batchSize", 1, MOST_CAPACITY, b.batchSize);
    between("maxBatchWait", Duration.ZERO, b.maxBatchWait);
    between("senderThreads", 1, 1000, b.senderThreads);
    between("replayInterval", SHORTEST, b.replayInterval);
    if (b.replayBatchSize != null) {
      between("replayBatchSize", 1, MOST_CAPACITY, b.replayBatchSize);
    }
    atLeast("maxReplayEventsPerSecond", 1, b.maxReplayEventsPerSecond);
    atLeast("maxReplayTries", 1, b.maxReplayTries);
    atLeast("maxSpilloverEvents", 1, b.maxSpilloverEvents);
    atLeast("maxSpilloverSizeBytes", 1, b.maxSpilloverSizeBytes);
    atLeast("maxQuarantineSizeBytes", 0, b.maxQuarantineSizeBytes);
    between("maxEntryBytes", 1, MOST_ENTRY_BYTES, b.maxEntryBytes);
    between("forceInterval", SHORTEST, b.forceInterval);
    between("closeTimeout", Duration.ZERO, b.closeTimeout);
    Path path = b.spilloverPath;
    if (path != null && Files.exists(path) && !Files.isDirectory(path)) {
      problems.require(false, "spilloverPath", "be a directory, or not be there yet,", path);
    }
    return problems;
  }

  private void atLeast(String setting, long least, long value) {
    problems.require(value >= least, setting, "be " + least + " or more", value);
  }

  private void between(String setting, long least, long most, long value) {
    problems.require(
        value >= least && value <= most, setting, "be from " + least + " to " + most, value);
  }

  private void between(String setting, Duration least, Duration value) {
    problems.require(
        value.compareTo(least) >= 0 && value.compareTo(LONGEST) <= 0,
        setting,
        "be from " + least.toMillis() + " ms to a year",
        value);
  }
}
