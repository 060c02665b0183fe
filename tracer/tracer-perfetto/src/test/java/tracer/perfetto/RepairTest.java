package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.Threads;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.Tracer;
import tracer.sink.TracePhase;

/** Whatever is dropped, and wherever files end, what is read has one end for each begin. */
class RepairTest extends FilesFixture {
  private static final TraceEvent[] KINDS = new TraceEvent[16];

  static {
    for (int i = 0; i < KINDS.length; i++) {
      KINDS[i] = TraceEvent.named("repair.depth-" + i);
    }
  }

  /** What one thread did: each span by its number, with its begin and end. */
  private record Done(long number, int depth, Instant began, Instant ended) {}

  private record Read(TraceEntry begin, TraceEntry end) {}

  private final List<Done> model = new ArrayList<>();

  /** Nests at random, on the clock of the test; the kind of a span is its depth. */
  private void nest(Tracer tracer, Random random, int count) {
    Deque<TraceSpan> open = new ArrayDeque<>();
    Deque<Done> begun = new ArrayDeque<>();
    for (int i = 0; i < count || !open.isEmpty(); i++) {
      time.advance(Duration.ofNanos(1 + random.nextInt(5)));
      boolean begins = i < count && open.size() < KINDS.length && random.nextBoolean();
      if (begins) {
        open.push(tracer.index().span(KINDS[open.size()], model.size() + begun.size()));
        begun.push(new Done(0, begun.size(), time.instant(), time.instant()));
      } else if (!open.isEmpty()) {
        open.pop().close();
        Done done = begun.pop();
        model.add(new Done(model.size(), done.depth, done.began, time.instant()));
      }
    }
  }

  /** Sorted by time as a viewer does it, each begin with its end; fails if they do not match. */
  private static List<Read> balanced(List<TraceEntry> entries, String what) {
    List<Read> spans = new ArrayList<>();
    Map<Long, Deque<TraceEntry>> open = new HashMap<>();
    List<TraceEntry> sorted = new ArrayList<>(entries);
    sorted.sort(Comparator.comparing(TraceEntry::time)); // keeps the order of the file
    for (TraceEntry entry : sorted) {
      Deque<TraceEntry> stack = open.computeIfAbsent(entry.thread(), it -> new ArrayDeque<>());
      if (entry.phase() == TracePhase.BEGIN) {
        stack.push(entry);
      } else if (entry.phase() == TracePhase.END) {
        assertThat(stack).as("%s: an end without a begin: %s", what, entry).isNotEmpty();
        assertThat(stack.peek().name())
            .as("%s: the innermost ends first", what)
            .isEqualTo(entry.name());
        spans.add(new Read(stack.pop(), entry));
      }
    }
    assertThat(open.values()).as("%s: all ended", what).allMatch(Deque::isEmpty);
    return spans;
  }

  @Test
  void spansAreBalancedInEachFileAndInAllOfThemWhateverWasDropped() throws Exception {
    for (long seed = 0; seed < 80; seed++) {
      model.clear();
      Random random = new Random(seed);
      Path folder = directory.resolve("seed-" + seed);
      Tracer tracer =
          tracer(
                  PerfettoFiles.in(folder)
                      .segmentBytes(10_000 + random.nextInt(30_000))
                      .totalBytes(10_000_000))
              .peakRate(40 + random.nextInt(400))
              .build();
      nest(tracer, random, 100 + random.nextInt(3000)); // the oldest are dropped
      tracer.start();
      for (int i = 0; i < 10; i++) {
        nest(tracer, random, random.nextInt(400));
        if (random.nextBoolean()) {
          flush(tracer);
        }
      }
      tracer.close();

      assertThat(tracer.ledger().isAccountedFor()).isTrue();
      assertThat(tracer.ledger().delivered() + tracer.ledger().lost())
          .as("seed %d", seed)
          .isEqualTo(2L * model.size());
      List<TraceEntry> all = new ArrayList<>();
      for (Path file : Segments.list(folder)) {
        List<TraceEntry> entries = new ArrayList<>();
        TraceReader.read(file, entries::add);
        balanced(entries, "seed " + seed + " " + file.getFileName());
        all.addAll(entries);
      }
      List<Read> spans = balanced(all, "seed " + seed);
      assertAsRecorded(spans, seed);
    }
  }

  /** Every span that nothing is said about is one of the model, to the nanosecond. */
  private void assertAsRecorded(List<Read> spans, long seed) {
    Set<String> recorded = new HashSet<>();
    for (Done done : model) {
      recorded.add(KINDS[done.depth].name() + done.began + done.ended);
    }
    for (Read span : spans) {
      boolean isWhole =
          !span.begin.values().containsKey("begin") && !span.end.values().containsKey("end");
      if (isWhole) {
        assertThat(recorded)
            .as("seed %d", seed)
            .contains(span.begin.name() + span.begin.time() + span.end.time());
      }
    }
  }

  @Test
  void nothingIsRepairedWhereNothingWasDropped() throws Exception {
    Tracer tracer = tracer(PerfettoFiles.in(directory)).peakRate(100_000).build();
    nest(tracer, new Random(1), 5000);
    tracer.start();
    tracer.close();

    List<Read> spans = balanced(entries(), "all");
    assertThat(spans).hasSameSizeAs(model);
    assertThat(spans)
        .allSatisfy(it -> assertThat(it.begin.values()).containsOnlyKeys("a"))
        .allSatisfy(it -> assertThat(it.end.values()).isEmpty());
    assertAsRecorded(spans, 1);
  }

  @Test
  void spansOfManyThreadsThatShareRingsAreWholeInWhateverOrderTheyCome() throws Exception {
    Tracer tracer =
        Tracer.builder(PerfettoFiles.in(directory))
            .producers(1)
            .peakRate(1_000_000)
            .flushInterval(Duration.ofMillis(1))
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    tracer.start();
    int threads = 20;
    int rounds = 500;
    CountDownLatch together = new CountDownLatch(threads);
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Runnable work =
          () -> {
            together.countDown();
            for (int round = 0; round < rounds; round++) {
              try (TraceSpan outer = tracer.index().span(KINDS[0], round);
                  TraceSpan inner = tracer.index().span(KINDS[1]).flow(round)) {
                tracer.index().begin(KINDS[2], 1, 2, 3, outer == inner ? 5 : 4);
                tracer.index().end(KINDS[2]);
              }
            }
          };
      Thread thread =
          (i % 2 == 0 ? Threads.virtualIfAvailable("virtual-" + i) : Threads.daemon("shared-" + i))
              .newThread(work);
      thread.start();
      all.add(thread);
    }
    for (Thread thread : all) {
      thread.join();
    }
    tracer.close();

    assertThat(tracer.ledger().lost()).isZero();
    List<TraceEntry> entries = entries();
    Map<Long, Map<String, Long>> counts = new HashMap<>();
    for (TraceEntry entry : entries) {
      if (entry.phase() == TracePhase.BEGIN || entry.phase() == TracePhase.END) {
        counts
            .computeIfAbsent(entry.thread(), it -> new HashMap<>())
            .merge(entry.phase() + entry.name(), 1L, Long::sum);
        assertThat(entry.values()).doesNotContainKeys("begin", "end");
      }
    }
    assertThat(counts).hasSize(threads);
    for (Map<String, Long> ofThread : counts.values()) {
      assertThat(ofThread).hasSize(6);
      assertThat(ofThread.values()).containsOnly((long) rounds);
    }
  }
}
