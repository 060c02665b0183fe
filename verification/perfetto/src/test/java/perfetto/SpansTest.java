package perfetto;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static tracer.ArgumentType.BOOLEAN;
import static tracer.ArgumentType.DOUBLE;
import static tracer.ArgumentType.INTERNED_STRING;
import static tracer.ArgumentType.LONG;

import holdfast.lifecycle.Threads;
import java.util.List;
import org.junit.jupiter.api.Test;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.TraceValue;
import tracer.Tracer;
import tracer.perfetto.PerfettoFiles;

/** What is recorded is what Perfetto shows. */
class SpansTest extends TraceFixture {
  private static final TraceEvent CHECKOUT = TraceEvent.named("shop.checkout").arg("order", LONG);
  private static final TraceEvent SQL =
      TraceEvent.named("sql.query")
          .arg("rows", LONG)
          .arg("table", INTERNED_STRING)
          .arg("hit rate", DOUBLE)
          .arg("cached", BOOLEAN);
  private static final TraceEvent STEP = TraceEvent.named("shop.step");
  private static final TraceEvent NOTE = TraceEvent.named("shop.note");
  private static final TraceEvent REQUEST = TraceEvent.named("shop.request").arg("size", LONG);
  private static final TraceEvent QUEUE = TraceEvent.named("shop.queue").unit("events");
  private static final TraceEvent LOAD = TraceEvent.named("shop.load");

  private static final String SLICES =
      "select s.name, s.dur, s.depth, p.name from slice s left join slice p on s.parent_id = p.id"
          + " order by s.ts, s.id";

  @Test
  void spansAreSlicesWithDurationAndNesting() throws Exception {
    Tracer tracer = started();
    try (TraceSpan checkout = tracer.index().span(CHECKOUT, 42)) {
      pass(10);
      try (TraceSpan sql =
          tracer.index().span(SQL, 3, TraceValue.of("orders"), TraceValue.of(0.5), 1)) {
        pass(20);
        tracer.index().record(STEP);
        pass(5);
        assertThat(sql).isNotNull();
      }
      pass(7);
      tracer.index().begin(STEP);
      pass(8);
      tracer.index().end(STEP);
      assertThat(checkout).isNotNull();
    }
    tracer.close();

    assertThat(open().complaints()).isEmpty();
    assertThat(processor.rows(SLICES))
        .containsExactly(
            "shop.checkout | 50 | 0 | null",
            "sql.query | 25 | 1 | shop.checkout",
            "shop.step | 0 | 2 | sql.query",
            "shop.step | 8 | 1 | shop.checkout");
    assertThat(
            processor.rows(
                "select t.name, p.name, extract_arg(p.arg_set_id, 'chrome.process_label[0]') from slice s join thread_track k on s.track_id = k.id"
                    + " join thread t using (utid) join process p using (upid) group by 1, 2, 3"))
        .singleElement(as(STRING))
        .startsWith(Thread.currentThread().getName() + " | shop | host=")
        .endsWith(" pid=" + ProcessHandle.current().pid());
  }

  @Test
  void theCategoryOfAnEventIsShownBehindItsLane() throws Exception {
    Tracer tracer = started();
    tracer.index().begin(SQL, 1);
    tracer.index().record(STEP);
    tracer.index().end(SQL);
    tracer.index().beginAsync(STEP, 1);
    tracer.index().endAsync(STEP, 1);
    tracer.detail().record(NOTE, "text");
    tracer.critical().record(NOTE, "text");
    tracer.close();

    String categories = "select distinct category from slice order by 1";
    assertThat(open().complaints()).isEmpty();
    assertThat(processor.rows(categories))
        .containsExactly("CRITICAL,shop", "DETAIL,shop", "INDEX,shop", "INDEX,sql");
    assertThat(processor.open(exported(directory)).rows(categories))
        .containsExactly("CRITICAL,shop", "DETAIL,shop", "INDEX,shop", "INDEX,sql");
  }

  @Test
  void argumentsHaveTheirNamesAndTypes() throws Exception {
    Tracer tracer = started();
    tracer
        .index()
        .record(SQL, -3, TraceValue.of("orders"), TraceValue.of(0.25), TraceValue.of(true));
    tracer.index().record(SQL, 4, TraceValue.of("x".repeat(600)), TraceValue.of(-1e300), 0);
    tracer.index().record(STEP, 1, Long.MIN_VALUE, Long.MAX_VALUE, -1);
    tracer.detail().record(NOTE, "grüße");
    tracer.critical().record(NOTE, new byte[] {(byte) 0xFF, 1});
    tracer.close();

    assertThat(open().complaints()).isEmpty();
    assertThat(
            processor.rows(
                "select s.name, a.key, a.value_type, coalesce(a.string_value, a.int_value,"
                    + " a.real_value) from slice s join args a using (arg_set_id)"
                    + " where a.key like 'debug.%' order by s.id, a.id"))
        .contains(
            "sql.query | debug.rows | int | -3",
            "sql.query | debug.table | string | orders",
            "sql.query | debug.hit rate | real | 0.25",
            "sql.query | debug.cached | bool | 1",
            "sql.query | debug.rows | int | 4",
            "sql.query | debug.table | string | <not interned: more than 512 characters>",
            "sql.query | debug.hit rate | real | -1e+300",
            "sql.query | debug.cached | bool | 0",
            "shop.step | debug.a | int | 1",
            "shop.step | debug.b | int | -9223372036854775808",
            "shop.step | debug.c | int | 9223372036854775807",
            "shop.step | debug.d | int | -1",
            "shop.note | debug.text | string | grüße",
            "shop.note | debug.hex | string | ff01");
  }

  @Test
  void asynchronousSpansHaveTracksOfTheirOwn() throws Exception {
    Tracer tracer = started();
    tracer.index().beginAsync(REQUEST, 1, 100);
    pass(10);
    tracer.index().beginAsync(REQUEST, 2);
    pass(10);
    onAnotherThread("handler", () -> tracer.index().endAsync(REQUEST, 1));
    pass(10);
    onAnotherThread("handler", () -> tracer.index().endAsync(REQUEST, 2));
    flush(tracer);
    tracer.close();

    assertThat(open().complaints()).isEmpty();
    assertThat(
            processor.rows(
                "select s.name, s.dur, t.name, p.name, extract_arg(s.arg_set_id, 'debug.id')"
                    + " from slice s join process_track t on s.track_id = t.id"
                    + " join process p using (upid) order by s.ts"))
        .containsExactly(
            "shop.request | 20 | shop.request | shop | 1",
            "shop.request | 20 | shop.request | shop | 2");
    assertThat(processor.rows("select count(distinct track_id) from slice")).containsExactly("2");
  }

  @Test
  void flowsAreArrowsBetweenSpans() throws Exception {
    Tracer tracer = started();
    try (TraceSpan publish = tracer.index().span(CHECKOUT).flow(77)) {
      pass(10);
      assertThat(publish).isNotNull();
    }
    pass(10);
    onAnotherThread(
        "handler",
        () -> {
          try (TraceSpan handle = tracer.index().span(STEP)) {
            pass(5);
            handle.flow(77); // at once: the arrow leads to the span
            pass(20_000);
            handle.endFlow(77); // later: to a moment in it
          }
        });
    pass(1);
    tracer.index().flow(NOTE, 78);
    pass(1);
    tracer.index().endFlow(QUEUE, 78);
    tracer.close();

    assertThat(open().complaints()).isEmpty();
    assertThat(
            processor.rows(
                "select o.name, o.dur, i.name, i.dur from flow f join slice o on f.slice_out = o.id"
                    + " join slice i on f.slice_in = i.id order by o.ts"))
        .containsExactly(
            "shop.checkout | 10 | shop.step | 20005",
            "shop.step | 20005 | shop.step | 0",
            "shop.note | 0 | shop.queue | 0");
  }

  @Test
  void countersAreTracksWithTheirUnit() throws Exception {
    Tracer tracer = started();
    tracer.index().counter(QUEUE, 5);
    tracer.index().counter(LOAD, 0.5);
    pass(10);
    tracer.index().counter(QUEUE, -7);
    tracer.close();

    assertThat(open().complaints()).isEmpty();
    assertThat(
            processor.rows(
                "select t.name, t.unit, c.value, p.name from counter c join process_counter_track t"
                    + " on c.track_id = t.id join process p using (upid) order by c.ts, t.name"))
        .containsExactly(
            "shop.load | null | 0.5 | shop",
            "shop.queue | events | 5 | shop",
            "shop.queue | events | -7 | shop");
  }

  @Test
  void spansOfVirtualThreadsAndOfThreadsThatShareRingsAreSlicesToo() throws Exception {
    Tracer tracer = tracerOfOne();
    tracer.index().record(STEP);
    Runnable work =
        () -> {
          try (TraceSpan outer = tracer.index().span(CHECKOUT, 1).flow(5)) {
            pass(1);
            tracer.index().begin(STEP, 2);
            pass(1);
            tracer.index().end(STEP);
            outer.endFlow(5);
            pass(1);
          }
        };
    for (int i = 0; i < 20; i++) {
      Thread thread =
          (i % 2 == 0 ? Threads.virtualIfAvailable("virtual-" + i) : Threads.daemon("shared-" + i))
              .newThread(work);
      thread.start();
      thread.join();
    }
    tracer.close();

    assertThat(open().complaints()).isEmpty();
    assertThat(
            processor.rows(
                "select name, depth, count(*), min(dur) from slice where dur > 0 group by 1, 2"
                    + " order by 1"))
        .containsExactly("shop.checkout | 0 | 20 | 3", "shop.step | 1 | 20 | 1");
    assertThat(processor.rows("select count(*) from slice where dur < 0")).containsExactly("0");
  }

  private Tracer tracerOfOne() {
    Tracer tracer = tracer(PerfettoFiles.in(directory)).producers(1).build();
    tracer.start();
    return tracer;
  }

  @Test
  void aSpanThatHangsIsShownUnfinished() throws Exception {
    Tracer tracer = started();
    tracer.index().begin(CHECKOUT, 1);
    pass(10);
    tracer.index().span(STEP).close();
    flush(tracer);

    assertThat(open().complaints()).isEmpty();
    assertThat(processor.rows("select name, dur, depth from slice order by ts"))
        .isEqualTo(List.of("shop.checkout | -1 | 0", "shop.step | 0 | 1"));
    tracer.close();
  }
}
