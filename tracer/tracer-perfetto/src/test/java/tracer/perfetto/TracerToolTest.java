package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import tracer.TraceEvent;
import tracer.Tracer;

/** The tool shows what is in a file, as text, as JSON and in numbers. */
class TracerToolTest extends FilesFixture {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return TracerTool.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  private Path file() throws Exception {
    Tracer tracer = tracer(PerfettoFiles.in(directory)).build();
    record(tracer, 0, 500);
    tracer.detail().record(NOTE, "a \"b\"\n\u0001");
    tracer.start();
    tracer.close();
    return segments().get(0);
  }

  @Test
  void dumpPrintsALineForEachEvent() throws Exception {
    assertThat(run("dump", file().toString())).isZero();

    long thread = Thread.currentThread().getId();
    assertThat(out.toString().lines())
        .hasSize(402)
        .contains(
            "2026-01-01T00:00:00Z INDEX shop.step thread=" + thread + " a=499 b=-499",
            "2026-01-01T00:00:00Z DETAIL shop.note thread="
                + thread
                + " text=\"a \\\"b\\\"\\n\\u0001\"",
            "2026-01-01T00:00:00Z INDEX LOST count=100 reason=\"POOL_EXHAUSTED\""
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
                + "\"thread\":%d,\"threadName\":\"%s\",\"a\":499,\"b\":-499}"
                    .formatted(thread, name),
            "{\"time\":\"2026-01-01T00:00:00Z\",\"lane\":\"INDEX\",\"event\":\"data loss\","
                + "\"count\":100,\"reason\":\"POOL_EXHAUSTED\",\"nanos\":0}");
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
            "thread   401 " + Thread.currentThread().getName(),
            "lost     100 INDEX POOL_EXHAUSTED");
  }

  @Test
  void namesThatAreNotOneWordAreQuoted() throws Exception {
    Tracer tracer = started(PerfettoFiles.in(directory));
    TraceEvent odd = TraceEvent.named("two\nlines\u0085\u00a0");
    Thread thread = new Thread(() -> tracer.index().record(odd, 1, 2), "a worker");
    thread.start();
    thread.join();
    tracer.close();
    String file = segments().get(0).toString();

    assertThat(run("dump", file)).isZero();
    assertThat(out.toString())
        .hasLineCount(1)
        .contains(" INDEX \"two\\nlines\\u0085\u00a0\" thread=");
    assertThat(run("stats", file)).isZero();
    assertThat(out.toString().lines())
        .contains("event    1 INDEX \"two\\nlines\\u0085\u00a0\"", "thread   1 \"a worker\"");
  }

  @Test
  void damageIsToldAndChangesTheExitCode() throws Exception {
    Path file = file();
    Path torn = directory.resolve("torn");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(torn, Arrays.copyOf(bytes, bytes.length - 1));

    assertThat(run("stats", torn.toString())).isEqualTo(3);
    assertThat(err.toString()).contains("bytes are damaged, at the end of the file");
    assertThat(run("dump", directory.resolve("none").toString())).isEqualTo(1);
    assertThat(err.toString()).contains("NoSuchFileException");
    assertThat(run("dump", directory.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("must be in a file but " + directory + " is none");
    assertThat(run("dump")).isEqualTo(2);
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("dump", "stats");
  }
}
