package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import eventlog.spi.EventLogClient;
import eventlog.spi.Redaction;
import eventlog.testkit.EventLogServer;
import eventlog.testkit.Fault;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/eventlog.md: compiled here, run here, the same text there. */
@Timeout(60)
class DocumentedExamplesTest {

  /** Counts what it is told. */
  private static final class Alarms {
    private final AtomicInteger counted = new AtomicInteger();

    void count(String reason) {
      assertThat(reason).isNotEmpty();
      counted.incrementAndGet();
    }
  }

  @Test
  void tenLines(@TempDir Path directory) throws InterruptedException {
    Alarms alarms = new Alarms();
    String key = "secret";
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    try (EventLogServer server = EventLogServer.start()) {
      URI address = server.uri();
      // spotless:off
      // region ten lines
      AsyncEventLogger logger = AsyncEventLogger.builder()
          .client(HttpEventLogClient.builder(address).apiKey(key).build())
          .spilloverPath(directory)
          .eventLossCallback((event, reason) -> alarms.count(reason))
          .build();

      logger.log(EventLogEntry.builder()
          .correlationId("order-42").traceId(trace).applicationId("shop").targetSystem("warehouse")
          .originatingSystem("web").processName("PlaceOrder").eventType(EventType.STEP)
          .eventStatus(EventStatus.SUCCESS).summary("Stock reserved").result("3 items").build());
      // endregion
      // spotless:on
      assertThat(logger.flush(Duration.ofSeconds(30))).isTrue();
      logger.close();
      assertThat(server.copies()).hasSize(1);
      assertThat(alarms.counted).hasValue(0);
    }
  }

  /** An application that is to be tested. */
  private static void placeOrder(AsyncEventLogger logger, String trace) {
    // spotless:off
    // region template
    EventLogTemplate placeOrder = EventLogEntry.builder()
        .applicationId("shop").targetSystem("warehouse").originatingSystem("web")
        .processName("PlaceOrder").eventStatus(EventStatus.SUCCESS)
        .toTemplate();

    logger.log(placeOrder.event().correlationId("order-42").traceId(trace)
        .eventType(EventType.STEP).summary("Stock reserved").result("3 items").build());
    // endregion
    // spotless:on
  }

  @Test
  void testkit() throws InterruptedException {
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    // spotless:off
    // region testkit
    try (EventLogServer server = EventLogServer.start()) {
      AsyncEventLogger logger = AsyncEventLogger.builder()
          .client(HttpEventLogClient.builder(server.uri()).build())
          .baseRetryDelay(Duration.ofMillis(10))
          .build();
      server.faults().set(Fault.ERROR, 2); // the first two requests fail

      placeOrder(logger, trace);
      logger.flush(Duration.ofSeconds(30));
      logger.close();

      assertThat(server.events()).extracting(event -> event.field("summary"))
          .containsExactly("Stock reserved");
    }
    // endregion
    // spotless:on
  }

  @Test
  void redaction() throws InterruptedException {
    Queue<EventLogEntry> sent = new ConcurrentLinkedQueue<>();
    EventLogClient client =
        events -> {
          sent.addAll(events);
          return Answer.delivered();
        };
    // spotless:off
    // region redaction
    AsyncEventLogger logger = AsyncEventLogger.builder()
        .client(client)
        .redaction(Redaction.ofFields("password", "cardNumber")
            .andThen(event -> event.toBuilder().accountId(null).build()))
        .build();
    // endregion
    // spotless:on
    logger.log(Events.builder("e").accountId("a").requestPayload("{\"password\":1}").build());
    assertThat(logger.flush(Duration.ofSeconds(30))).isTrue();
    logger.close();
    assertThat(sent)
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.accountId()).isNull();
              assertThat(event.requestPayload()).isEqualTo("{\"password\":\"***\"}");
            });
  }
}
