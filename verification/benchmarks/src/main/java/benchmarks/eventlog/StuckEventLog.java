package benchmarks.eventlog;

import eventlog.AsyncEventLogger;
import eventlog.EventLogEntry;
import eventlog.spi.Answer;
import holdfast.testkit.files.FaultyFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/** The event log with an API that never answers and a disk whose calls never return. */
final class StuckEventLog implements LogBeside.Contender {
  private final CountDownLatch over = new CountDownLatch(1);
  private final Supplier<EventLogEntry> events;
  private final AsyncEventLogger logger;

  /**
   * Opens one.
   *
   * @param events makes the event of a call, as a part of it
   */
  StuckEventLog(Path directory, int queueCapacity, Supplier<EventLogEntry> events) {
    this.events = events;
    FaultyFiles disk = FaultyFiles.over(directory);
    this.logger =
        Samples.logger(
                batch -> {
                  over.await();
                  return Answer.delivered();
                },
                disk.root(),
                queueCapacity)
            .maxQueueBytes(Integer.MAX_VALUE) // the number of events is the limit here
            .closeTimeout(Duration.ZERO)
            .build();
    disk.failWhen(change -> isFrozen(), () -> new IOException("never"));
  }

  private boolean isFrozen() {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  @Override
  public boolean log() {
    return logger.log(events.get());
  }

  @Override
  public String remark() {
    return logger.ledger().toLine();
  }

  @Override
  public void close() {
    over.countDown();
    logger.close();
  }
}
