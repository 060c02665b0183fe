package perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.Threads;
import holdfast.testkit.process.Acknowledged;
import holdfast.testkit.process.ChildJvm;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tracer.Lane;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.Tracer;
import tracer.perfetto.FileOfHost;
import tracer.perfetto.PerfettoFiles;

/** Every kind of file that may be there is valid: with losses, rotated, torn, joined. */
class FilesTest extends TraceFixture {
  private static final TraceEvent OUTER = TraceEvent.named("files.outer");
  private static final TraceEvent INNER = TraceEvent.named("files.inner");
  private static final TraceEvent REQUEST = TraceEvent.named("files.request");
  private static final TraceEvent STEP = TraceEvent.named("files.step");
  private static final TraceEvent QUEUE = TraceEvent.named("files.queue");

  @Test
  void spansOpenWhereAFileEndsEndThereAndBeginAgainInTheNext() throws Exception {
    Tracer tracer =
        tracer(PerfettoFiles.in(directory).segmentBytes(20_000).totalBytes(10_000_000)).build();
    tracer.start();
    tracer.index().beginAsync(REQUEST, 7);
    try (TraceSpan outer = tracer.index().span(OUTER, 42)) {
      for (int i = 0; i < 20; i++) {
        for (int j = 0; j < 50; j++) {
          pass(10);
          tracer.index().span(INNER, i, j).close();
        }
        flush(tracer);
      }
      pass(10);
      assertThat(outer).isNotNull();
    }
    tracer.index().endAsync(REQUEST, 7);
    tracer.close();

    List<Path> files = files();
    assertThat(files).hasSizeGreaterThan(3);
    for (Path file : files) {
      assertThat(Files.size(file)).isLessThanOrEqualTo(20_000);
      assertThat(processor.open(file).complaints()).isEmpty();
      assertThat(processor.rows("select count(*) from slice where dur < 0")).containsExactly("0");
      assertThat(
              processor.rows(
                  "select count(*) from slice where name = 'files.inner' and depth != 1"))
          .containsExactly("0");
    }
    processor.open(joined(files));
    assertThat(processor.complaints()).isEmpty();
    assertThat(
            processor.rows("select count(*) from slice where name = 'files.inner' and depth = 1"))
        .containsExactly("1000");
    assertThat(processor.rows("select sum(dur) from slice where name = 'files.outer'"))
        .containsExactly("10010");
    assertThat(
            processor.rows(
                "select extract_arg(arg_set_id, 'debug.begin'), extract_arg(arg_set_id,"
                    + " 'debug.end'), extract_arg(arg_set_id, 'debug.a') from slice where name ="
                    + " 'files.outer' order by ts"))
        .hasSize(files.size())
        .startsWith("null | in a later file | 42", "in an earlier file | in a later file | 42")
        .endsWith("in an earlier file | null | 42");
    assertThat(processor.rows("select sum(dur) from slice where name = 'files.request'"))
        .containsExactly("10010");
  }

  @Test
  void whateverIsDroppedThereIsNothingToComplainOf() throws Exception {
    for (long seed = 1; seed <= 5; seed++) {
      Path folder = directory.resolve("seed-" + seed);
      Tracer tracer =
          tracer(PerfettoFiles.in(folder).segmentBytes(50_000).totalBytes(10_000_000))
              .peakRate(600)
              .build();
      recordAtRandom(tracer, seed);
      tracer.start();
      recordAtRandom(tracer, seed + 100);
      flush(tracer);
      tracer.close();
      assertThat(tracer.ledger().lost()).isPositive();
      for (Path file : files(folder)) {
        assertValid(seed, file);
      }
      assertValid(seed, joined(files(folder)));
    }
  }

  private void assertValid(long seed, Path file) {
    assertThat(processor.open(file).complaints()).as("seed %d file %s", seed, file).isEmpty();
    assertThat(
            processor.rows(
                "select count(*) from slice where dur < 0 and name in"
                    + " ('files.outer', 'files.inner')"))
        .as("unfinished, seed %d file %s", seed, file)
        .containsExactly("0");
  }

  private void recordAtRandom(Tracer tracer, long seed) {
    Random random = new Random(seed);
    int depth = 0;
    for (int i = 0; i < 3000; i++) {
      pass(1 + random.nextInt(3));
      int what = random.nextInt(10);
      if (what < 4 && depth < 20) {
        tracer.index().begin(depth++ % 2 == 0 ? OUTER : INNER, i);
      } else if (what < 8 && depth > 0) {
        tracer.index().end(--depth % 2 == 0 ? OUTER : INNER);
      } else if (what == 8) {
        tracer.index().counter(QUEUE, i);
      } else {
        tracer.index().beginAsync(REQUEST, i);
        pass(1);
        tracer.index().endAsync(REQUEST, i);
      }
    }
    while (depth > 0) {
      pass(1);
      tracer.index().end(--depth % 2 == 0 ? OUTER : INNER);
    }
  }

  @Test
  void threadsOfBothKindsThatDropEventsLeaveValidFiles() throws Exception {
    Tracer tracer =
        Tracer.builder(PerfettoFiles.in(directory).segmentBytes(200_000).totalBytes(100_000_000))
            .producers(2)
            .peakRate(4000)
            .flushInterval(Duration.ofMillis(2))
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    tracer.start();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      boolean isVirtual = i % 2 == 0;
      Thread thread =
          (isVirtual ? Threads.virtualIfAvailable("virtual-" + i) : Threads.daemon("thread-" + i))
              .newThread(() -> nest(tracer, 5000));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    flush(tracer);
    tracer.close();

    assertThat(tracer.ledger().lost()).isPositive();
    assertThat(tracer.ledger().isAccountedFor()).isTrue();
    for (Path file : files()) {
      assertThat(processor.open(file).complaints()).isEmpty();
    }
    assertThat(processor.open(joined(files())).complaints()).isEmpty();
  }

  private static void nest(Tracer tracer, int count) {
    for (int i = 0; i < count; i++) {
      try (TraceSpan outer = tracer.index().span(OUTER, i)) {
        tracer.index().begin(INNER, i, i);
        tracer.index().record(STEP);
        tracer.index().end(INNER);
        outer.flow(i);
      }
    }
  }

  @Test
  void aTornFileIsReadUpToItsEnd() throws Exception {
    Tracer tracer = started();
    for (int i = 0; i < 300; i++) {
      pass(10);
      try (TraceSpan outer = tracer.index().span(OUTER)) {
        pass(10);
        tracer.index().record(STEP, i);
        assertThat(outer).isNotNull();
      }
    }
    tracer.close();
    Path file = files().get(0);
    long size = Files.size(file);
    for (long cut : new long[] {size - 3, size - 50, size * 2 / 3, size / 2}) {
      truncate(file, cut);
      assertThat(processor.open(file).complaints()).isEmpty();
      assertThat(processor.rows("select count(*) > 50 from slice")).containsExactly("1");
      assertThat(processor.rows("select count(*) <= 1 from slice where dur < 0"))
          .containsExactly("1");
    }
  }

  /** Records until it is killed. */
  static final class UntilKilled {
    public static void main(String[] arguments) throws InterruptedException {
      Tracer tracer = Tracer.builder(PerfettoFiles.in(Path.of(arguments[0]))).build();
      tracer.start();
      for (int i = 0; ; i++) {
        try (TraceSpan outer = tracer.index().span(OUTER, i)) {
          tracer.index().counter(QUEUE, i);
          tracer.index().beginAsync(REQUEST, i);
          tracer.index().span(INNER, outer.hashCode()).close();
          tracer.index().endAsync(REQUEST, i);
        }
        if (i % 10_000 == 9_999) {
          tracer.flush(Duration.ofSeconds(20));
          Acknowledged.line("written " + i);
        }
      }
    }
  }

  @Test
  void theFileOfAProcessThatWasKilledIsReadUpToItsEnd() throws Exception {
    try (ChildJvm child = ChildJvm.of(UntilKilled.class, directory.toString()).start()) {
      child.awaitLine(line -> line.equals("written 29999"), Duration.ofSeconds(60));
      child.kill();
    }
    assertThat(files()).isNotEmpty();
    for (Path file : files()) {
      assertThat(processor.open(file).complaints()).isEmpty();
    }
    assertThat(processor.open(joined(files())).complaints()).isEmpty();
    assertThat(
            processor.rows(
                "select count(*) >= 30000 from slice where name = 'files.outer' and dur >= 0"))
        .containsExactly("1");
  }

  private static void truncate(Path file, long size) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(size);
    }
  }

  @Test
  void filesOfThreeProcessesAreJoinedByCat() throws Exception {
    for (int i = 0; i < 3; i++) {
      run(TracedProcess.class, Redirect.DISCARD, directory.toString(), "shop-" + i);
    }
    List<Path> files = files();
    assertThat(files).hasSize(3);
    for (Path file : files) {
      assertThat(processor.open(file).complaints()).isEmpty();
    }
    processor.open(joined(files));

    assertThat(processor.complaints()).isEmpty();
    assertThat(
            processor.rows(
                "select p.name, t.name, s.name, s.depth, count(*) from slice s join thread_track k"
                    + " on s.track_id = k.id join thread t using (utid) join process p using (upid)"
                    + " where s.dur > 0 group by 1, 2, 3, 4 order by 1, 3, 4"))
        .containsExactly(
            "shop-0 | main | process.inner | 1 | 10",
            "shop-0 | main | process.outer | 0 | 10",
            "shop-1 | main | process.inner | 1 | 10",
            "shop-1 | main | process.outer | 0 | 10",
            "shop-2 | main | process.inner | 1 | 10",
            "shop-2 | main | process.outer | 0 | 10");
    assertThat(
            processor.rows(
                "select count(distinct process_counter_track.upid) from counter"
                    + " join process_counter_track on counter.track_id ="
                    + " process_counter_track.id"))
        .containsExactly("3");
    assertThat(processor.rows("select count(*) from flow"))
        .as("from each process to the next")
        .containsExactly("2");
  }

  @Test
  void processesAndThreadsOfTheSameNumberOnTwoHostsStayApart() throws Exception {
    List<Path> files = List.of(directory.resolve("web-1"), directory.resolve("web-2"));
    for (Path file : files) {
      String host = file.getFileName().toString();
      Tracer tracer =
          Tracer.builder(new FileOfHost(file, host, 4242))
              .time(time)
              .producers(1)
              .captureCrashes(false)
              .registerShutdownHook(false)
              .build();
      tracer.start();
      for (int i = 0; i < 3; i++) {
        tracer.index().begin(OUTER, i);
        pass(10);
        tracer.index().end(OUTER);
      }
      tracer.close();
    }
    processor.open(joined(files));

    assertThat(processor.complaints()).isEmpty();
    assertThat(
            processor.rows(
                "select p.name, extract_arg(p.arg_set_id, 'chrome.process_label[0]'), t.tid,"
                    + " count(*) from slice s join thread_track k on s.track_id = k.id join thread"
                    + " t using (utid) join process p using (upid) group by 1, 2, 3 order by 1"))
        .containsExactly(
            "shop-web-1 | host=web-1 pid=4242 | " + Thread.currentThread().getId() + " | 3",
            "shop-web-2 | host=web-2 pid=4242 | " + Thread.currentThread().getId() + " | 3");
    assertThat(
            processor.rows(
                "select count(distinct utid), count(distinct upid) from thread_track"
                    + " join thread using (utid)"))
        .containsExactly("2 | 2");
  }

  @Test
  void lossesOfAllLanesAreMarks() throws Exception {
    Tracer tracer =
        tracer(PerfettoFiles.in(directory))
            .peakRate(80)
            .producers(1)
            .spareRings(Lane.DETAIL, 1)
            .burstWindow(Duration.ofSeconds(1))
            .build();
    for (int i = 0; i < 500; i++) {
      pass(10);
      tracer.index().record(STEP, i);
      tracer.detail().record(STEP, "x".repeat(200));
    }
    tracer.start();
    tracer.close();

    assertThat(open().complaints()).isEmpty();
    assertThat(
            processor.rows(
                "select sum(extract_arg(arg_set_id, 'debug.count')) from slice"
                    + " where name = 'data loss'"))
        .containsExactly(Long.toString(tracer.ledger().lost()));
  }
}
