package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import eventlog.spi.EntryWriter;
import eventlog.spi.JsonBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A request has a limit in bytes beside that in events; one event always passes. */
class RequestBytesTest extends LoggerFixture {
  private static final int MOST = 10_000;

  private final List<Integer> sizes = new CopyOnWriteArrayList<>();

  private static List<EventLogEntry> events() {
    List<EventLogEntry> events = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      int chars = i == 20 ? 3 * MOST : 100 * (i % 20);
      events.add(Events.builder("e-" + i).responsePayload("é".repeat(chars)).build());
    }
    return events;
  }

  private static int body(List<EventLogEntry> events) {
    JsonBuffer json = new JsonBuffer(1000);
    events.forEach(event -> new EntryWriter(Integer.MAX_VALUE).write(event, json));
    return json.length() + events.size() + "{\"events\":[]}".length();
  }

  private void accept() {
    api.answers(
        events -> {
          sizes.add(events.size() == 1 ? 0 : body(events));
          return Answer.delivered();
        });
  }

  @Test
  void liveRequestsKeepToIt() {
    accept();
    AsyncEventLogger logger = logger(b -> b.maxRequestBytes(MOST));
    logger.log(events());
    settleInMemory(logger);

    assertThat(sizes).allMatch(size -> size <= MOST).anyMatch(size -> size > MOST / 2);
    assertThat(api.stored()).hasSize(40);
  }

  @Test
  void requestsFromDiskKeepToIt() {
    api.isDown();
    AsyncEventLogger logger =
        spilling(
            b ->
                b.maxRequestBytes(MOST)
                    .maxRetries(0)
                    .circuitBreakerThreshold(1000)
                    .replayIntervalMs(100));
    logger.log(events());
    settle(logger);
    accept();

    passUntil("replayed", () -> logger.metrics().eventsReplayed() == 40);

    assertThat(sizes).allMatch(size -> size <= MOST).anyMatch(size -> size > MOST / 2);
    assertThat(api.stored()).hasSize(40).doesNotHaveDuplicates();
  }

  private void settleInMemory(AsyncEventLogger logger) {
    passUntil("sent", () -> logger.metrics().eventsSent() == 40);
  }
}
