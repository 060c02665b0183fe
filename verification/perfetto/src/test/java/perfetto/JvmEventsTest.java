package perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.threads.Eventually;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.Tracer;
import tracer.perfetto.PerfettoFiles;
import tracer.perfetto.TraceReader;

/** What the JVM reports of itself stands on the time axis of the application's spans. */
class JvmEventsTest extends TraceFixture {
  private static final TraceEvent WORK = TraceEvent.named("test.work");

  @Test
  void aCollectionLiesWithinTheSpanThatCausedIt() throws Exception {
    Tracer tracer =
        tracer(PerfettoFiles.in(directory))
            .time(TimeSource.system())
            .peakRate(100_000)
            .jvmEvents(Duration.ZERO)
            .build();
    tracer.start();
    Eventually.await(
        "a collection is in the file",
        () -> {
          try (TraceSpan work = tracer.index().span(WORK)) {
            assertThat(work).isNotNull();
            System.gc();
          }
          flush(tracer);
          return hasCollection();
        });
    tracer.close();

    assertThat(open().complaints()).isEmpty();
    assertThat(
            processor.rows(
                "select count(*) > 0, min(w.dur > 0), min(g.dur > 0) from slice g left join slice w"
                    + " on w.name = 'test.work' and w.ts - 1000000 < g.ts"
                    + " and g.ts + g.dur < w.ts + w.dur + 1000000 where g.name = 'jvm.gc'"
                    + " and g.arg_set_id in (select arg_set_id from args where"
                    + " key = 'debug.cause' and string_value = 'System.gc()')"))
        .as("each has a span around it")
        .containsExactly("1 | 1 | 1");
    assertThat(processor.rows("select distinct name from slice where name like 'jvm.%' order by 1"))
        .contains("jvm.gc", "jvm.park", "jvm.safepoint");
  }

  private boolean hasCollection() throws IOException {
    AtomicBoolean found = new AtomicBoolean();
    TraceReader.read(
        files().get(0),
        entry -> {
          if (entry.name().equals("jvm.gc")) {
            found.set(true);
          }
        });
    return found.get();
  }
}
