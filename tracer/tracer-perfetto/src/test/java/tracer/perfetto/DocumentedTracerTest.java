package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import tracer.TraceEvent;
import tracer.Tracer;

/** The example of the tracer's page. */
class DocumentedTracerTest extends FilesFixture {
  private static final TraceEvent PLACED = TraceEvent.named("order.placed");
  private static final TraceEvent REQUEST = TraceEvent.named("order.request");
  private static final TraceEvent FAILED = TraceEvent.named("order.failed");

  @Test
  void tenLines() throws IOException {
    long orderId = 42;
    long cents = 1999;
    String body = "{}";
    // spotless:off
    // region ten lines
    Tracer tracer = Tracer.builder(PerfettoFiles.in(directory)).build();
    tracer.start();

    tracer.index().record(PLACED, orderId, cents);
    tracer.detail().record(REQUEST, body);
    tracer.critical().record(FAILED, "no answer from the price service");

    tracer.close();
    // endregion
    // spotless:on
    assertThat(entries())
        .extracting(TraceEntry::name)
        .containsExactlyInAnyOrder("order.placed", "order.request", "order.failed");
  }
}
