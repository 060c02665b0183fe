package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static tracer.ArgumentType.INTERNED_STRING;
import static tracer.ArgumentType.LONG;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.TraceValue;
import tracer.Tracer;
import tracer.sink.TracePhase;

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

  @Test
  void flightRecorder() throws Exception {
    long orderId = 42;
    // spotless:off
    // region flight recorder
    Tracer tracer =
        Tracer.builder(PerfettoFiles.in(directory))
            .keepLast(Duration.ofSeconds(30))
            .dumpWhenSlower(CHECKOUT, Duration.ofSeconds(2))
            .build();
    tracer.start();

    try (TraceSpan span = tracer.index().span(CHECKOUT, orderId)) {
      checkOut();
    }
    tracer.dump("a customer has called");
    // endregion
    // spotless:on
    assertThat(entries()).extracting(TraceEntry::name).contains("order.checkout", "tracer.dump");
    tracer.close();
  }

  private static void checkOut() {
    // the application's own work
  }

  // spotless:off
  // region kinds
  private static final TraceEvent CHECKOUT = TraceEvent.named("order.checkout").arg("order", LONG);
  private static final TraceEvent SQL = TraceEvent.named("sql.query").arg("rows", LONG).arg("table", INTERNED_STRING);
  private static final TraceEvent SHIPMENT = TraceEvent.named("order.shipment");
  private static final TraceEvent QUEUE = TraceEvent.named("order.queue").unit("orders");
  // endregion
  // spotless:on

  @Test
  void spansAndValues() throws IOException {
    Tracer tracer = started(PerfettoFiles.in(directory));
    long orderId = 42;
    long messageId = 4711;
    long shipmentId = 7;
    long rows = 3;
    // spotless:off
    // region spans
    try (TraceSpan checkout = tracer.index().span(CHECKOUT, orderId)) {
      tracer.index().begin(SQL, rows, TraceValue.of("orders"));
      tracer.index().end(SQL);
      checkout.flow(messageId);                       // an arrow to the span that handles the message
    }

    tracer.index().beginAsync(SHIPMENT, shipmentId);  // may end on another thread
    tracer.index().endAsync(SHIPMENT, shipmentId);

    tracer.index().counter(QUEUE, 17);
    // endregion
    // spotless:on
    // region categories
    tracer.disableCategory("sql");
    tracer.enableCategory("sql");
    // endregion
    tracer.close();
    assertThat(entries())
        .extracting(TraceEntry::phase, TraceEntry::name, entry -> entry.values().toString())
        .contains(
            tuple(TracePhase.BEGIN, "order.checkout", "{order=42}"),
            tuple(TracePhase.BEGIN, "sql.query", "{rows=3, table=orders}"),
            tuple(TracePhase.FLOW, "order.checkout", "{flow=4711}"),
            tuple(TracePhase.ASYNC_END, "order.shipment", "{id=7}"),
            tuple(TracePhase.COUNTER, "order.queue", "{value=17}"));
  }
}
