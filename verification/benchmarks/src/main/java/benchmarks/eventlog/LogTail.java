package benchmarks.eventlog;

import benchmarks.TemporaryDirectory;
import eventlog.AsyncEventLogger;
import eventlog.EventLogEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * How long a single call of log() takes at worst while the API is down, events go to disk and
 * somebody else keeps the disk busy. For one thread.
 */
final class LogTail {
  private static final Duration WARM_UP = Duration.ofSeconds(3);
  private static final int MEGABYTE = 1024 * 1024;
  private static final int BUSY_MEGABYTES = 64;

  private final Duration length;

  LogTail(Duration length) {
    this.length = length;
  }

  /** One line for the logger, and one for the machine: the same loop around nothing. */
  String run() throws IOException, InterruptedException {
    try (TemporaryDirectory directory = TemporaryDirectory.temporary()) {
      BusyDisk busy = new BusyDisk(directory.path().resolve("busy"));
      Thread writer = new Thread(busy, "busy-disk");
      writer.start();
      try {
        return measured("nothing", () -> true) + logging(directory.path().resolve("spill"));
      } finally {
        busy.stopped = true;
        writer.join();
      }
    }
  }

  private String logging(Path directory) {
    EventLogEntry event = Samples.event(1);
    try (AsyncEventLogger logger =
        Samples.logger(
                batch -> {
                  throw new IOException("connection refused");
                },
                directory,
                10_000)
            .build()) {
      return measured("log(), API down, disk busy", () -> logger.log(event))
          + logger.ledger().toLine()
          + System.lineSeparator();
    }
  }

  private String measured(String what, BooleanSupplier call) {
    CallTimes.of(call, WARM_UP);
    CallTimes times = CallTimes.of(call, length);
    return "%s: p50 %.2f µs, p99 %.2f µs, p99.9 %.2f µs, most %.0f µs; refused %d of %,d%n"
        .formatted(
            what,
            times.part(0.5),
            times.part(0.99),
            times.part(0.999),
            times.part(1),
            times.refused(),
            times.count());
  }

  /** Writes and forces one file over and over. */
  private static final class BusyDisk implements Runnable {
    private final Path file;
    private volatile boolean stopped;

    BusyDisk(Path file) {
      this.file = file;
    }

    @Override
    public void run() {
      ByteBuffer bytes = ByteBuffer.allocateDirect(MEGABYTE);
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        for (long megabyte = 0; !stopped; megabyte++) {
          channel.write(bytes.clear(), megabyte % BUSY_MEGABYTES * MEGABYTE);
          channel.force(true);
        }
      } catch (IOException e) {
        throw new IllegalStateException("the disk was not kept busy; the figures are void", e);
      }
    }
  }
}
