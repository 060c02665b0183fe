package perfetto;

import static org.assertj.core.api.Assertions.assertThat;
import static tracer.ArgumentType.INTERNED_STRING;

import org.junit.jupiter.api.Test;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.TraceValue;
import tracer.Tracer;

/** Spans that were recorded when they were over are slices around what was recorded before. */
class EndedSpansTest extends TraceFixture {
  private static final TraceEvent REQUEST =
      TraceEvent.named("http.server.requests").arg("status", INTERNED_STRING);
  private static final TraceEvent METHOD = TraceEvent.named("Orders.place");
  private static final TraceEvent SQL = TraceEvent.named("jdbc.query");

  private static void request(Tracer tracer, Runnable pass) {
    long began = tracer.index().now();
    pass.run();
    try (TraceSpan method = tracer.index().span(METHOD)) {
      assertThat(method).isNotNull();
      pass.run();
      long sql = tracer.index().now();
      pass.run();
      tracer.index().recordSpan(SQL, sql, tracer.index().now());
      pass.run();
    }
    pass.run();
    tracer.index().recordSpan(REQUEST, began, tracer.index().now(), TraceValue.of("200"));
  }

  @Test
  void spansThatAreOverLieAroundWhatTheyDid() throws Exception {
    Tracer tracer = started();
    request(tracer, () -> pass(5));
    pass(10);
    request(tracer, () -> pass(5));
    onAnotherThread("with rings of its own", () -> request(tracer, () -> pass(5)));
    onAnotherThread("that shares rings", () -> request(tracer, () -> pass(5)));
    long now = tracer.index().now();
    tracer.index().recordAsync(REQUEST, 7, now - 30, now, TraceValue.of("404"));
    tracer.close();

    assertThat(open().complaints()).isEmpty();
    assertThat(
            processor.rows(
                "select s.name, s.dur, s.depth, p.name, count(*) from slice s"
                    + " left join slice p on s.parent_id = p.id group by 1, 2, 3, 4 order by 2"))
        .containsExactly(
            "jdbc.query | 5 | 2 | Orders.place | 4",
            "Orders.place | 15 | 1 | http.server.requests | 4",
            "http.server.requests | 25 | 0 | null | 4",
            "http.server.requests | 30 | 0 | null | 1");
    assertThat(
            processor.rows(
                "select s.dur, a.string_value, count(*) from slice s join args a using (arg_set_id)"
                    + " where a.key = 'debug.status' group by 1, 2 order by 1"))
        .containsExactly("25 | 200 | 4", "30 | 404 | 1");
  }
}
