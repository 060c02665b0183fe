package tracer.tool;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.files.FaultyFiles;
import holdfast.testkit.files.FileOperation;
import holdfast.testkit.process.ChildJvm;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tracer.TraceEvent;
import tracer.Tracer;
import tracer.perfetto.PerfettoFiles;
import tracer.perfetto.TraceReader;

/** The tool shows what is in a file, as text, as JSON and in numbers. */
@Timeout(60)
class TracerToolTest {
  private static final TraceEvent STEP = TraceEvent.named("shop.step");
  private static final TraceEvent NOTE = TraceEvent.named("shop.note");

  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Rings of a hundred events. */
  private Tracer tracer() {
    return Tracer.builder(PerfettoFiles.in(directory).processName("shop"))
        .time(new SettableTime())
        .producers(1)
        .peakRate(400)
        .burstWindow(Duration.ofSeconds(1))
        .largestDetail(300)
        .captureCrashes(false)
        .registerShutdownHook(false)
        .build();
  }

  private Path segment() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".perfetto-trace"))
          .findFirst()
          .orElseThrow();
    }
  }

  /** The number that stands for this process in the file. */
  private long pid() throws IOException {
    Set<Long> numbers = new HashSet<>();
    TraceReader.read(segment(), entry -> numbers.add(entry.pid()));
    assertThat(numbers).hasSize(1);
    return numbers.iterator().next();
  }

  private int run(String... args) {
    return TracerTool.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  private Path file() throws Exception {
    Tracer tracer = tracer();
    for (long i = 0; i < 500; i++) {
      tracer.index().record(STEP, i, -i);
    }
    tracer.detail().record(NOTE, "a \"b\"\n\u0001");
    tracer.start();
    tracer.close();
    return segment();
  }

  @Test
  void dumpPrintsALineForEachEvent() throws Exception {
    assertThat(run("dump", file().toString())).isZero();

    Thread thread = Thread.currentThread();
    String origin =
        "process=%d processName=shop thread=%d threadName=%s"
            .formatted(pid(), thread.getId(), EntryText.word(thread.getName()));
    assertThat(out.toString().lines())
        .hasSize(402)
        .contains(
            "2026-01-01T00:00:00Z INDEX shop.step " + origin + " a=499 b=-499",
            "2026-01-01T00:00:00Z DETAIL shop.note " + origin + " text=\"a \\\"b\\\"\\n\\u0001\"",
            "2026-01-01T00:00:00Z INDEX LOST "
                + origin
                + " count=100 reason=\"POOL_EXHAUSTED\""
                + " lane=\"INDEX\" nanos=0");
  }

  @Test
  void dumpPrintsJsonToo() throws Exception {
    assertThat(run("dump", "--json", file().toString())).isZero();

    long thread = Thread.currentThread().getId();
    String name = Thread.currentThread().getName();
    assertThat(out.toString().lines())
        .hasSize(402)
        .contains(
            "{\"time\":\"2026-01-01T00:00:00Z\",\"lane\":\"INDEX\",\"event\":\"shop.step\","
                + "\"process\":%d,\"processName\":\"shop\",".formatted(pid())
                + "\"thread\":%d,\"threadName\":\"%s\",\"a\":499,\"b\":-499}"
                    .formatted(thread, name),
            "{\"time\":\"2026-01-01T00:00:00Z\",\"lane\":\"INDEX\",\"event\":\"data loss\","
                + "\"process\":%d,\"processName\":\"shop\",".formatted(pid())
                + "\"thread\":%d,\"threadName\":\"%s\",\"count\":100,".formatted(thread, name)
                + "\"reason\":\"POOL_EXHAUSTED\",\"nanos\":0}");
  }

  @Test
  void statsPrintsNumbers() throws Exception {
    Path file = file();
    assertThat(run("stats", file.toString())).isZero();

    assertThat(out.toString().lines())
        .contains(
            "bytes    " + Files.size(file),
            "damaged  0",
            "span     PT0S",
            "event    400 INDEX shop.step",
            "event    1 DETAIL shop.note",
            "process  401 " + pid() + " shop",
            "thread   401 " + Thread.currentThread().getName(),
            "lost     100 INDEX POOL_EXHAUSTED");
  }

  @Test
  void namesThatAreNotOneWordAreQuoted() throws Exception {
    Tracer tracer = tracer();
    tracer.start();
    TraceEvent odd = TraceEvent.named("two\nlines\u0085\u00a0");
    Thread thread = new Thread(() -> tracer.index().record(odd, 1, 2), "a worker");
    thread.start();
    thread.join();
    tracer.close();
    String file = segment().toString();

    assertThat(run("dump", file)).isZero();
    assertThat(out.toString())
        .hasLineCount(1)
        .contains(" INDEX \"two\\nlines\\u0085\u00a0\" process=")
        .contains(" threadName=\"a worker\" ");
    assertThat(run("stats", file)).isZero();
    assertThat(out.toString().lines())
        .contains("event    1 INDEX \"two\\nlines\\u0085\u00a0\"", "thread   1 \"a worker\"");
  }

  @Test
  void beginsEndsFlowsAndCountersAreShownAsSuch() throws Exception {
    Tracer tracer = tracer();
    tracer.start();
    tracer.index().begin(STEP, 7);
    tracer.index().end(STEP);
    tracer.index().beginAsync(NOTE, 8);
    tracer.index().endAsync(NOTE, 8);
    tracer.index().flow(STEP, 9);
    tracer.index().counter(NOTE, Double.NaN);
    tracer.close();
    String file = segment().toString();

    assertThat(run("dump", file)).isZero();
    String process = " process=" + pid() + " processName=shop";
    Thread current = Thread.currentThread();
    String thread =
        " thread=" + current.getId() + " threadName=" + EntryText.word(current.getName());
    assertThat(
            out.toString()
                .lines()
                .map(line -> line.substring(line.indexOf("INDEX")).replace(process, "")))
        .containsExactly(
            "INDEX shop.step begin" + thread + " a=7",
            "INDEX shop.step end" + thread,
            "INDEX shop.note async_begin id=8",
            "INDEX shop.note async_end id=8",
            "INDEX shop.step flow" + thread + " flow=9",
            "INDEX shop.note counter value=NaN");
    assertThat(run("dump", "--json", file)).isZero();
    assertThat(out.toString())
        .contains("\"event\":\"shop.step\",\"phase\":\"BEGIN\",\"process\":")
        .contains(
            "\"phase\":\"ASYNC_END\",\"process\":" + pid() + ",\"processName\":\"shop\",\"id\":8}")
        .contains("\"value\":\"NaN\"}");
    assertThat(run("stats", file)).isZero();
    assertThat(out.toString()).contains("event    3 INDEX shop.step", "thread   3 ");
  }

  @Test
  void damageIsToldAndChangesTheExitCode() throws Exception {
    Path file = file();
    Path torn = directory.resolve("torn");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(torn, Arrays.copyOf(bytes, bytes.length - 1));

    assertThat(run("stats", torn.toString())).isEqualTo(3);
    assertThat(err.toString()).contains("bytes are damaged, at the end of the file");
    Path none = directory.resolve("none");
    assertThat(run("dump", none.toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains("tracer: " + none + " does not exist; name a trace file or a directory of them");
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertThat(run("dump", empty.toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains(
            "tracer: " + empty + ": the directory has no file *.perfetto-trace; name another");
    assertThat(run("dump")).isEqualTo(2);
    assertThat(run("dump", "--lane", "index", directory.toString())).isEqualTo(2);
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("dump", "stats");
  }

  @Test
  void outputThatCannotBeWrittenChangesTheExitCode() throws Exception {
    String file = file().toString();
    FaultyFiles disk = FaultyFiles.over(directory);
    disk.failWhen(
        op -> op.operation() == FileOperation.WRITE, () -> new IOException("No space left"));
    for (String command : List.of("dump", "stats", "summary", "export")) {
      try (OutputStream full = Files.newOutputStream(disk.root().resolve(command));
          PrintWriter to = new PrintWriter(new PrintStream(full, true), true)) {
        assertThat(TracerTool.run(to, new PrintWriter(err, true), command, file)).isEqualTo(1);
      }
    }
    assertThat(err.toString().lines())
        .hasSize(4)
        .containsOnly(
            "tracer: the output could not be written and is incomplete; free space on its disk, or"
                + " write it elsewhere");
  }

  @Test
  void aTemporaryDirectoryWithoutSpaceIsNamedWithTheFix() throws Exception {
    Tracer tracer =
        Tracer.builder(PerfettoFiles.in(directory))
            .producers(1)
            .registerShutdownHook(false)
            .build();
    for (long i = 0; i < 100_000; i++) {
      tracer.index().record(STEP, i, -i);
    }
    tracer.start();
    tracer.close();
    Path missing = directory.resolve("missing");
    try (ChildJvm child =
        ChildJvm.of(TracerTool.class, "dump", segment().toString())
            .jvmOptions("-Djava.io.tmpdir=" + missing)
            .start()) {
      assertThat(child.awaitExit(Duration.ofSeconds(50))).isEqualTo(1);
      assertThat(child.errors())
          .contains("tracer: events cannot be sorted in the temporary directory " + missing + ": ")
          .contains("; free space in " + missing + ", or set -Djava.io.tmpdir")
          .doesNotContain("Exception");
    }
  }
}
