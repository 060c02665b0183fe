package perfetto;

import static org.assertj.core.api.Assertions.assertThat;
import static tracer.ArgumentType.LONG;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.Tracer;
import tracer.tool.TracerTool;

/** What the tool exports for Chrome's viewer says the same as the trace itself. */
class ExportTest extends TraceFixture {
  private static final TraceEvent PLACE = TraceEvent.named("export.place").arg("order", LONG);
  private static final TraceEvent SQL = TraceEvent.named("export.sql");
  private static final TraceEvent REQUEST = TraceEvent.named("export.request");
  private static final TraceEvent QUEUE = TraceEvent.named("export.queue");
  private static final TraceEvent STEP = TraceEvent.named("export.step");

  private static final String SPANS =
      "select s.name, s.dur, s.depth, t.name, p.name, count(*) from slice s"
          + " join thread_track k on s.track_id = k.id join thread t using (utid)"
          + " join process p using (upid) group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5";
  private static final String ASYNCHRONOUS =
      "select name, dur, count(*) from slice where name = 'export.request' group by 1, 2";
  // In Chrome's format a counter has series; ours has one, "value".
  private static final String COUNTERS =
      "select replace(t.name, ' value', ''), c.value from counter c join counter_track t on c.track_id = t.id order by c.ts";
  private static final String FLOWS =
      "select o.name, i.name from flow f join slice o on f.slice_out = o.id"
          + " join slice i on f.slice_in = i.id order by o.ts";

  private void place(Tracer tracer, long order) {
    try (TraceSpan place = tracer.index().span(PLACE, order).flow(order)) {
      pass(1_500);
      try (TraceSpan sql = tracer.index().span(SQL)) {
        pass(2_001);
        tracer.index().record(STEP, order);
        pass(1);
        assertThat(sql).isNotNull();
      }
      pass(999);
      assertThat(place).isNotNull();
    }
    tracer.index().counter(QUEUE, order);
    pass(1_000);
  }

  @Test
  void spansArrowsCountersThreadsAndProcessesAreTheSame() throws Exception {
    Tracer tracer = started();
    tracer.index().beginAsync(REQUEST, 1);
    for (int order = 1; order <= 5; order++) {
      int id = order;
      place(tracer, order);
      onAnotherThread("handler", () -> place(tracer, id));
    }
    tracer.index().endAsync(REQUEST, 1);
    tracer.close();
    Path json = exported(directory);

    processor.open(files().get(0));
    List<String> spans = processor.rows(SPANS);
    List<String> asynchronous = processor.rows(ASYNCHRONOUS);
    List<String> counters = processor.rows(COUNTERS);
    List<String> flows = processor.rows(FLOWS);
    assertThat(spans).hasSize(6);
    assertThat(asynchronous).hasSize(1);
    assertThat(counters).hasSize(10);
    assertThat(flows).hasSize(5);

    assertThat(processor.open(json).complaints()).isEmpty();
    assertThat(processor.rows(SPANS)).isEqualTo(spans);
    assertThat(processor.rows(ASYNCHRONOUS)).isEqualTo(asynchronous);
    assertThat(processor.rows(COUNTERS)).isEqualTo(counters);
    assertThat(processor.rows(FLOWS)).isEqualTo(flows);
  }

  @Test
  void spansThatDropsHaveTornApartAreValid() throws Exception {
    Tracer tracer = started();
    for (int order = 1; order <= 5_000; order++) {
      place(tracer, order);
    }
    flush(tracer);
    tracer.close();

    assertThat(processor.open(exported(directory)).complaints()).isEmpty();
    assertThat(processor.rows("select count(*) from slice where dur < 0")).containsExactly("0");
  }

  @Test
  void ofNothingIsAnEmptyTrace() throws Exception {
    Tracer tracer = started();
    tracer.index().record(STEP);
    tracer.close();
    Path json = directory.resolve("nothing.json");
    run(
        TracerTool.class,
        Redirect.to(json.toFile()),
        "export",
        "--event",
        "no.such",
        directory.toString());

    assertThat(processor.open(json).complaints()).isEmpty();
    assertThat(processor.rows("select count(*) from slice")).containsExactly("0");
  }
}
