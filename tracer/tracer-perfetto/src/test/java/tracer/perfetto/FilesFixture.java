package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tracer.TraceEvent;
import tracer.Tracer;
import tracer.TracerBuilder;

/** Tracers that write to a directory of their own, and what is in it. */
@Timeout(60)
abstract class FilesFixture {
  static final TraceEvent STEP = TraceEvent.named("shop.step");
  static final TraceEvent NOTE = TraceEvent.named("shop.note");
  static final TraceEvent CRASH = TraceEvent.named("shop.crash");

  @TempDir Path directory;

  final SettableTime time = new SettableTime();
  final CapturedLog log = new CapturedLog("tracer");

  @AfterEach
  void stopListening() {
    log.close();
  }

  /** Rings of a hundred events. */
  TracerBuilder tracer(PerfettoFiles files) {
    return Tracer.builder(files)
        .time(time)
        .producers(1)
        .peakRate(400)
        .burstWindow(Duration.ofSeconds(1))
        .largestDetail(1_000)
        .captureCrashes(false)
        .registerShutdownHook(false);
  }

  Tracer started(PerfettoFiles files) {
    Tracer tracer = tracer(files).build();
    tracer.start();
    return tracer;
  }

  static void record(Tracer tracer, long from, long to) {
    for (long i = from; i < to; i++) {
      tracer.index().record(STEP, i, -i);
    }
  }

  static void flush(Tracer tracer) throws InterruptedException {
    assertThat(tracer.flush(Duration.ofSeconds(20))).isTrue();
  }

  List<Path> segments() throws IOException {
    return Segments.list(directory);
  }

  /** What is in all files, which must be whole. */
  List<TraceEntry> entries() throws IOException {
    List<TraceEntry> entries = new ArrayList<>();
    for (Path file : segments()) {
      TraceReader.Report report = TraceReader.read(file, entries::add);
      assertThat(report.damagedBytes()).isZero();
    }
    return entries;
  }

  static List<Long> firstValues(List<TraceEntry> entries) {
    return entries.stream()
        .filter(entry -> entry.name().equals(STEP.name()))
        .map(entry -> (Long) entry.values().getOrDefault("a", -1L))
        .toList();
  }
}
