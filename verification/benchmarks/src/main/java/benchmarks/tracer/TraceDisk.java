package benchmarks.tracer;

import benchmarks.TemporaryDirectory;
import holdfast.ledger.LedgerSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tracer.TraceEvent;
import tracer.Tracer;
import tracer.perfetto.PerfettoFiles;

/**
 * How many events a second two threads can have written to disk for long, by offering more and
 * more, beside what the disk takes of the same bytes from a loop that does nothing else. For one
 * thread.
 */
final class TraceDisk {
  private static final int[] MILLIONS = {4, 5, 6, 8};
  private static final int THREADS = 2;
  private static final long RATE = 5_000_000;
  private static final int BLOCK = 256 * 1024;
  private static final long KEPT = 1L << 30;
  private static final long SEGMENT = 64L << 20;
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(1);
  private static final TraceEvent PLACED = TraceEvent.named("order.placed");
  private static final TraceEvent PRICED = TraceEvent.named("order.priced");

  private final Duration length;
  private final int rounds;

  TraceDisk(Duration length, int rounds) {
    this.length = length;
    this.rounds = rounds;
  }

  /** The table; round zero is for warming up and does not count. */
  String run() throws IOException, InterruptedException {
    StringBuilder table = new StringBuilder();
    table.append(
        "| round | offered, million/s | written, million/s | dropped | MB/s | bytes each |");
    table.append(System.lineSeparator());
    table.append("| ---: | ---: | ---: | ---: | ---: | ---: |").append(System.lineSeparator());
    for (int round = 0; round <= rounds; round++) {
      StringBuilder lines = new StringBuilder();
      for (int millions : round == 0 ? new int[] {2} : MILLIONS) {
        lines.append("| ").append(round).append(measured(millions)).append(System.lineSeparator());
      }
      lines.append("| %d | the disk alone | | | %.0f | |%n".formatted(round, diskAlone() / 1e6));
      System.err.print(lines);
      if (round > 0) {
        table.append(lines);
      }
    }
    return table.toString();
  }

  private String measured(int millions) throws IOException, InterruptedException {
    try (TemporaryDirectory directory = TemporaryDirectory.temporary()) {
      PerfettoFiles files = PerfettoFiles.in(directory.path()).totalBytes(KEPT);
      Tracer tracer =
          Tracer.builder(files)
              .producers(THREADS)
              .peakRate(RATE)
              .captureCrashes(false)
              .registerShutdownHook(false)
              .build();
      tracer.start();
      long startedAt = System.nanoTime();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Thread thread = new Thread(() -> offer(tracer, millions * 1000 / THREADS));
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      tracer.close();
      LedgerSnapshot ledger = tracer.ledger();
      double seconds = (System.nanoTime() - startedAt) / 1e9;
      long delivered = ledger.delivered();
      return " | %d | %.2f | %.2f %% | %.0f | %.0f |"
          .formatted(
              millions,
              delivered / seconds / 1e6,
              100.0 * ledger.lost() / ledger.accepted(),
              files.bytesWritten() / seconds / 1e6,
              (double) files.bytesWritten() / delivered);
    }
  }

  /** So many events in each millisecond, also those that have passed meanwhile. */
  private void offer(Tracer tracer, int perTick) {
    Random random = new Random(1);
    long ticks = length.toNanos() / TICK;
    long startedAt = System.nanoTime();
    long order = 0;
    for (long tick = 0; tick < ticks; tick++) {
      long due = startedAt + tick * TICK;
      for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
        LockSupport.parkNanos(wait);
      }
      long cents = random.nextInt(1_000_000);
      for (int i = 0; i < perTick; i++) {
        if ((i & 1) == 0) {
          tracer.index().record(PLACED, ++order, cents + i);
        } else {
          tracer.index().record(PRICED, order, cents - i);
        }
      }
    }
  }

  /** Bytes a second, into files that are deleted as the tracer deletes them. */
  private double diskAlone() throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    new Random(2).ints(BLOCK / Integer.BYTES).forEach(block::putInt);
    try (TemporaryDirectory directory = TemporaryDirectory.temporary()) {
      long startedAt = System.nanoTime();
      long written = 0;
      int number = 0;
      while (System.nanoTime() - startedAt < length.toNanos()) {
        written += segment(directory.path().resolve("disk-" + number++), block);
        if (number >= KEPT / SEGMENT) {
          Files.delete(directory.path().resolve("disk-" + (number - KEPT / SEGMENT)));
        }
      }
      return written / ((System.nanoTime() - startedAt) / 1e9);
    }
  }

  private static long segment(Path file, ByteBuffer block) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long written = 0;
      while (written < SEGMENT) {
        written += channel.write(block.clear());
      }
      return written;
    }
  }
}
