package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.ledger.LedgerSnapshot;
import holdfast.lifecycle.CloseReport;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tracer.sink.MemorySink;

/**
 * Tracers on a sink in memory and a clock that stands still. Unless told otherwise they have one
 * producer and rings of ten events: four on the index lane, three on the detail lane, two on the
 * critical one.
 */
@Timeout(60)
abstract class TracerFixture {
  static final TraceEvent STEP = TraceEvent.named("test.step");
  static final TraceEvent NOTE = TraceEvent.named("test.note");
  static final TraceEvent CRASH = TraceEvent.named("test.crash");
  static final Duration SOON = Duration.ofSeconds(20);

  /** Half a ring and more, so that each fills a ring of ten events (400 bytes). */
  static final int LARGE = 300;

  /** What fits into a ring of ten events. */
  static final int LARGEST = 376;

  @TempDir Path directory;

  final MemorySink sink = new MemorySink();
  final SettableTime time = new SettableTime();
  final CapturedLog log = new CapturedLog("tracer");
  private final List<Tracer> open = new ArrayList<>();

  @AfterEach
  void closeAll() {
    sink.fail(false);
    sink.goOn();
    open.forEach(Tracer::close);
    log.close();
  }

  /** A tracer whose drain does not run yet. */
  Tracer stopped(Consumer<TracerBuilder> changes) {
    TracerBuilder builder =
        Tracer.builder(sink)
            .time(time)
            .producers(1)
            .peakRate(40)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(LARGEST)
            .emergencyFile(directory.resolve("emergency.log"))
            .captureCrashes(false)
            .registerShutdownHook(false);
    changes.accept(builder);
    Tracer tracer = builder.build();
    open.add(tracer);
    return tracer;
  }

  Tracer stopped() {
    return stopped(builder -> {});
  }

  Tracer started(Consumer<TracerBuilder> changes) {
    Tracer tracer = stopped(changes);
    tracer.start();
    return tracer;
  }

  Tracer started() {
    return started(builder -> {});
  }

  /** Records index events with the values from, from + 1, … */
  static void record(Tracer tracer, long from, long count) {
    for (long i = from; i < from + count; i++) {
      tracer.index().record(STEP, i, -i);
    }
  }

  /** Records detail events, each as large as a ring. */
  static void note(Tracer tracer, int from, int count) {
    for (int i = from; i < from + count; i++) {
      tracer.detail().record(NOTE, large(i));
    }
  }

  /** A text that fills a ring, with a number in it. */
  static String large(int number) {
    return number + ":" + "x".repeat(LARGE);
  }

  static List<Long> range(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  static LaneMetrics lane(Tracer tracer, Lane lane) {
    return tracer.metrics().lane(lane);
  }

  static long dropped(Tracer tracer, Lane lane, DropReason reason) {
    Long count = lane(tracer, lane).dropsByReason().get(reason);
    return count == null ? -1 : count;
  }

  static void flush(Tracer tracer) throws InterruptedException {
    assertThat(tracer.flush(SOON)).isTrue();
  }

  /** Every event is accounted for; while events move they may be seen in two places or in none. */
  /** Closes a tracer within the time it was built with. */
  static CloseReport close(Tracer tracer) {
    return tracer.close(tracer.closeTimeout());
  }

  /** Closes a tracer. */
  static Tracer closed(Tracer tracer) {
    tracer.close();
    return tracer;
  }

  static LedgerSnapshot balanced(Tracer tracer) {
    Eventually.await("balanced ledger", () -> tracer.ledger().isAccountedFor());
    return tracer.ledger();
  }

  /** Runs on a thread of its own, to its end. */
  static void onAnotherThread(Runnable work) throws InterruptedException {
    Thread thread = new Thread(work);
    thread.start();
    thread.join();
  }
}
