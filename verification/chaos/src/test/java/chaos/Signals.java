package chaos;

import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a campaign tells its nodes, each signal a file: it needs no connection that could be cut,
 * and a node that is started later sees it too. Safe for use by many threads and processes.
 */
public record Signals(Path folder) {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  /** Tells all nodes. */
  public void give(String signal) throws IOException {
    Files.createFile(folder.resolve(signal));
  }

  /** Whether it was told. */
  public boolean isGiven(String signal) {
    return Files.exists(folder.resolve(signal));
  }

  /** Waits until it is told. */
  public void await(String signal) throws InterruptedException {
    Alarm alarm = TimeSource.system().newAlarm();
    while (!isGiven(signal)) {
      alarm.await(LOOK_AGAIN);
    }
  }
}
