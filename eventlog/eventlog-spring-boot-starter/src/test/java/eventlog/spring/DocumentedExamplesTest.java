package eventlog.spring;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.AsyncEventLogger;
import eventlog.EventLogEntry;
import eventlog.EventLogMeter;
import eventlog.EventStatus;
import eventlog.EventType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The examples of docs/eventlog.md: compiled here, run here, the same text there. */
class DocumentedExamplesTest {

  /** The shop of the page. */
  static class Shop {
    private final Warehouse warehouse;

    Shop(Warehouse warehouse) {
      this.warehouse = warehouse;
    }

    // spotless:off
    // region process
    @LogEvent("PlaceOrder")
    public int place(String order) {
      return warehouse.reserve(order);
    }
    // endregion
    // spotless:on
  }

  /** Its warehouse. */
  static class Warehouse {
    private final AsyncEventLogger logger;
    private final EventLogContext context;

    Warehouse(AsyncEventLogger logger, EventLogContext context) {
      this.logger = logger;
      this.context = context;
    }

    // spotless:off
    // region step
    @LogEvent(step = "ReserveStock", sequence = 1, targetSystem = "warehouse")
    public int reserve(String order) {
      logger.log(context.event()
          .eventType(EventType.STEP).eventStatus(EventStatus.SUCCESS)
          .stepName("FindShelf").summary("Shelf found").result("A7").build());
      return 3;
    }
    // endregion
    // spotless:on
  }

  @Test
  void aProcessAStepAndAnEventOfOnesOwn() {
    Contexts.withApi()
        .withBean(Shop.class)
        .withBean(Warehouse.class)
        .run(
            context -> {
              assertThat(context.getBean(Shop.class).place("order-42")).isEqualTo(3);

              List<EventLogEntry> events = context.getBean(Api.class).await(4);
              assertThat(events)
                  .extracting(event -> event.eventType() + " " + event.stepName())
                  .containsExactly(
                      "PROCESS_START null",
                      "STEP FindShelf",
                      "STEP ReserveStock",
                      "PROCESS_END null");
              assertThat(events).allMatch(event -> event.processName().equals("PlaceOrder"));
              assertThat(events)
                  .extracting(EventLogEntry::correlationId)
                  .containsOnly(events.get(0).correlationId());
              assertThat(events.get(1).parentSpanId()).isEqualTo(events.get(2).spanId());
            });
  }

  @Test
  void thePageListsEveryMeterWithItsMeaning() throws IOException {
    String page = Files.readString(Path.of("../../docs/eventlog.md"));

    assertThat(EventLogMeter.values())
        .allSatisfy(
            meter ->
                assertThat(page)
                    .contains("| `" + meter.meterName() + "` | " + meter.description() + " |"));
  }
}
