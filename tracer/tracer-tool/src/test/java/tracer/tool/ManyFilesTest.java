package tracer.tool;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.time.SettableTime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.Tracer;
import tracer.perfetto.PerfettoFiles;
import tracer.perfetto.TraceEntry;
import tracer.sink.TracePhase;

/** The tool puts the events of several files in order, filters, summarizes and exports them. */
@Timeout(60)
class ManyFilesTest {
  private static final TraceEvent CHECKOUT = TraceEvent.named("shop.checkout");
  private static final TraceEvent PAY = TraceEvent.named("shop.pay");
  private static final TraceEvent SHIP = TraceEvent.named("shop.ship");
  private static final TraceEvent STOCK = TraceEvent.named("shop.stock");
  private static final TraceEvent STEP = TraceEvent.named("shop.step");

  @TempDir Path directory;

  private final SettableTime time = new SettableTime();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private Tracer tracer(String process) {
    Tracer tracer =
        Tracer.builder(PerfettoFiles.in(directory).processName(process).segmentBytes(2_000))
            .time(time)
            .producers(1)
            .peakRate(400)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(300)
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    tracer.start();
    return tracer;
  }

  private int run(String... args) {
    return TracerTool.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  private List<String> lines() {
    return out.toString().lines().toList();
  }

  /** Two processes in turns, in several files each. */
  private void record() throws InterruptedException {
    Tracer one = tracer("one");
    time.advance(Duration.ofNanos(1)); // no two tracers of a process start at the same moment
    Tracer two = tracer("two");
    for (int i = 0; i < 200; i++) {
      (i % 2 == 0 ? one : two).index().record(STEP, i, 0);
      time.advance(Duration.ofMillis(1));
      if (i % 50 == 49) {
        one.flush(Duration.ofSeconds(20));
        two.flush(Duration.ofSeconds(20));
      }
    }
    one.close();
    two.close();
  }

  @Test
  void eventsOfADirectoryAreInTheOrderOfTime() throws Exception {
    record();
    assertThat(run("dump", directory.toString())).isZero();
    assertThat(lines()).hasSize(200).isSorted();
    for (int i = 0; i < 200; i++) {
      assertThat(lines().get(i)).contains(" a=" + i + " ");
    }
  }

  @Test
  void filtersChoose() throws Exception {
    record();
    assertThat(run("dump", "--process", "t*o", directory.toString())).isZero();
    assertThat(lines()).hasSize(100).allMatch(line -> line.matches(".* a=\\d*[13579] .*"));

    out.getBuffer().setLength(0);
    Instant start = Instant.parse("2026-01-01T00:00:00.010Z");
    run(
        "dump",
        "--from",
        start.toString(),
        "--to",
        start.plusMillis(20).toString(),
        directory + "");
    assertThat(lines()).hasSize(20);

    out.getBuffer().setLength(0);
    run(
        "dump",
        "--event",
        "shop.s*",
        "--lane",
        "INDEX",
        "--thread",
        "nobody",
        directory.toString());
    run("dump", "--event", "shop.pay", directory.toString());
    assertThat(lines()).isEmpty();

    String thread = Thread.currentThread().getName();
    run("stats", "--thread", thread, "--event", "*step", directory.toString());
    assertThat(lines()).contains("event    200 INDEX shop.step");
  }

  /** Three checkouts of 100, 200 and 300 ms; half of each, and 10 ms, pay. */
  private void shop() {
    Tracer tracer = tracer("shop");
    for (int i = 1; i <= 3; i++) {
      try (TraceSpan checkout = tracer.index().span(CHECKOUT, i)) {
        time.advance(Duration.ofMillis(50L * i));
        try (TraceSpan pay = tracer.index().span(PAY).flow(i)) {
          time.advance(Duration.ofMillis(50L * i + 10));
        }
      }
      tracer.index().beginAsync(SHIP, i);
      tracer.index().counter(STOCK, 100 - i);
      time.advance(Duration.ofMillis(5));
      tracer.index().endFlow(STEP, i);
      if (i < 3) {
        tracer.index().endAsync(SHIP, i);
      }
    }
    tracer.close();
  }

  @Test
  void aSummaryShowsTheSpansThatTookLongestByThemselves() {
    shop();
    assertThat(run("summary", directory.toString())).isZero();
    assertThat(lines())
        .containsExactly(
            "     count       self      total        p50        p95        p99    longest  span",
            "         3     330 ms     330 ms     110 ms     160 ms     160 ms     160 ms  shop.pay",
            "         3     300 ms     630 ms     210 ms     310 ms     310 ms     310 ms  shop.checkout",
            "         2    10.0 ms    10.0 ms    5.00 ms    5.00 ms    5.00 ms    5.00 ms  shop.ship",
            "open 1 shop.ship");

    out.getBuffer().setLength(0);
    run("summary", "--top", "1", directory.toString());
    assertThat(lines()).hasSize(4).contains("2 more kinds of spans; see --top");

    out.getBuffer().setLength(0);
    run("summary", "--event", "*.checkout", directory.toString());
    assertThat(lines()).hasSize(2).last().asString().contains(" 300 ms ").contains(" 630 ms ");
  }

  @Test
  void aSpanThatGoesOnInOtherFilesIsOneSpan() throws Exception {
    Tracer tracer = tracer("shop");
    try (TraceSpan checkout = tracer.index().span(CHECKOUT, 1)) {
      for (int i = 0; i < 300; i++) {
        tracer.index().record(STEP, i);
        time.advance(Duration.ofMillis(1));
        if (i % 50 == 49) {
          tracer.flush(Duration.ofSeconds(20));
        }
      }
      checkout.flow(1);
    }
    tracer.close();
    assertThat(Files.list(directory).count()).isGreaterThan(3);

    run("summary", directory.toString());
    assertThat(lines()).hasSize(2).last().asString().startsWith("         1     300 ms     300 ms");
    out.getBuffer().setLength(0);
    run("export", "--event", "*checkout", directory.toString());
    JsonNode trace = JsonMapper.builder().build().readTree(out.toString());
    List<JsonNode> events = new ArrayList<>();
    trace.path("traceEvents").forEach(events::add);
    assertThat(kinds(events)).containsEntry("B", 1).containsEntry("E", 1);
  }

  @Test
  void aSummaryShowsWhatWasLost() {
    Tracer tracer =
        Tracer.builder(PerfettoFiles.in(directory))
            .time(time)
            .producers(1)
            .peakRate(400)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(300)
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    for (int i = 0; i < 500; i++) {
      tracer.index().record(STEP, i, 0);
    }
    tracer.close();
    run("summary", directory.toString());
    assertThat(lines()).containsExactly("no span that has ended", "lost 100 POOL_EXHAUSTED INDEX");
  }

  @Test
  void exportIsWhatChromesViewerReads() {
    shop();
    assertThat(run("export", directory.toString())).isZero();
    JsonNode trace = JsonMapper.builder().build().readTree(out.toString());
    List<JsonNode> events = new ArrayList<>();
    trace.path("traceEvents").forEach(events::add);

    assertThat(kinds(events)).containsEntry("B", 6).containsEntry("E", 6);
    assertThat(kinds(events)).containsEntry("b", 3).containsEntry("e", 2).containsEntry("C", 3);
    assertThat(kinds(events)).containsEntry("s", 3).containsEntry("f", 3);
    assertThat(events)
        .anyMatch(event -> event.toString().contains("\"args\":{\"name\":\"shop\"}"))
        .anyMatch(event -> event.toString().contains("\"args\":{\"value\":99}"));
    List<Double> checkouts =
        events.stream()
            .filter(event -> event.path("name").asString().equals("shop.checkout"))
            .map(event -> event.path("ts").asDouble())
            .toList();
    assertThat(checkouts)
        .containsExactly(0.0, 110_000.0, 115_000.0, 325_000.0, 330_000.0, 640_000.0);
    assertThat(trace.path("otherData").path("start").asString()).isEqualTo("2026-01-01T00:00:00Z");
  }

  private static Map<String, Integer> kinds(List<JsonNode> events) {
    Map<String, Integer> kinds = new LinkedHashMap<>();
    events.forEach(event -> kinds.merge(event.path("ph").asString(), 1, Integer::sum));
    return kinds;
  }

  @Test
  void exportOfNothingIsAnEmptyTrace() throws Exception {
    record();
    assertThat(run("export", "--event", "none", directory.toString())).isZero();
    assertThat(JsonMapper.builder().build().readTree(out.toString()).path("traceEvents")).isEmpty();
  }

  @Test
  void entriesThatDoNotFitIntoMemoryAreSortedInFiles() throws Exception {
    Random random = new Random(7);
    List<TraceEntry> expected = new ArrayList<>();
    List<TraceEntry> actual = new ArrayList<>();
    try (SortedEntries sorted = new SortedEntries(100)) {
      for (int i = 0; i < 1_050; i++) {
        TraceEntry entry = entry(random.nextInt(300), i);
        expected.add(entry);
        sorted.add(entry);
      }
      sorted.forEach(actual::add);
    }
    expected.sort(java.util.Comparator.comparing(TraceEntry::time));
    assertThat(actual).isEqualTo(expected);
  }

  private static TraceEntry entry(int millis, long number) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("number", number);
    values.put("share", 0.5);
    values.put("isTrue", true);
    values.put("text", "\u20ac\uD83D\uDE00");
    return new TraceEntry(
        Instant.EPOCH.plusMillis(millis),
        "INDEX",
        "name",
        TracePhase.BEGIN,
        1,
        "thread",
        2,
        3,
        "process",
        values,
        number % 2 == 0);
  }

  @Test
  void percentilesAreOffByAThousandthAtMost() {
    Durations durations = new Durations();
    for (long i = 1; i <= 100_000; i++) {
      durations.add(i * 1_000);
    }
    for (int percent : new int[] {1, 50, 95, 99, 100}) {
      double exact = percent * 1_000_000.0;
      assertThat((double) durations.percentile(percent)).isBetween(exact, exact * 1.001);
    }
    assertThat(durations.count()).isEqualTo(100_000);
    assertThat(durations.most()).isEqualTo(100_000_000);
  }

  @Test
  void durationsHaveThreeDigits() {
    assertThat(Summary.shown(0)).isEqualTo("0 ns");
    assertThat(Summary.shown(999)).isEqualTo("999 ns");
    assertThat(Summary.shown(1_500)).isEqualTo("1.50 µs");
    assertThat(Summary.shown(12_345)).isEqualTo("12.3 µs");
    assertThat(Summary.shown(999_499)).isEqualTo("999 µs");
    assertThat(Summary.shown(999_500)).isEqualTo("1.00 ms");
    assertThat(Summary.shown(12_345_678_901_234L)).isEqualTo("12346 s");
  }
}
