package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.EventLogClient;
import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A table of faults of the API: where 20 events are while the fault lasts, and where they are once
 * it is over. Nothing is lost in any of them.
 */
@Timeout(120)
class FaultTableTest {
  private static final int EVENTS = 20;

  /** A fault, what it does to 20 events, and whether it counts as an outage. */
  @SuppressWarnings("ImmutableEnumChecker") // a fault keeps nothing
  enum Row {
    STALLED_HEADER(0, 20, 20, 0, true, hang("")),
    STALLED_BODY(0, 20, 20, 0, true, hang("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")),
    DRIPPING_BODY(
        0,
        20,
        20,
        0,
        true,
        exchange -> {
          exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
          while (!exchange.isOverSoon()) {
            exchange.write(" ");
          }
          exchange.socket().close();
          return true;
        }),
    ENDLESS_BODY(
        0,
        20,
        20,
        0,
        true,
        exchange -> {
          exchange.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
          while (true) { // until the client closes the connection
            exchange.write("1000\r\n" + " ".repeat(4096) + "\r\n");
          }
        }),
    RESET(
        0,
        20,
        20,
        0,
        true,
        exchange -> {
          exchange.socket().setSoLinger(true, 0);
          exchange.socket().close();
          return true;
        }),
    TLS_FAILURE(0, 20, 20, 0, true, exchange -> false),
    DNS_FAILURE(0, 20, 20, 0, true, exchange -> false),
    TOO_MANY_REQUESTS(0, 20, 20, 0, false, status(429, "Retry-After: 1\r\n")),
    UNAVAILABLE_WITH_RETRY_AFTER(0, 20, 20, 0, false, status(503, "Retry-After: 1\r\n")),
    NOT_SUCCESSFUL(0, 20, 20, 0, true, exchange -> exchange.answer(200, "", "{\"success\":false}")),
    ERROR_FOR_ONE(
        19,
        1,
        19,
        1,
        false,
        exchange -> exchange.keys().contains("e-7") && exchange.answer(500, "", "")),
    BAD_REQUEST_FOR_ALL(0, 20, 0, 20, false, status(400, ""));

    private final int deliveredDuring;
    private final int heldDuring;
    private final int deliveredAfter;
    private final int quarantined;
    private final boolean isOutage;
    private final FaultyApi.Fault fault;

    Row(
        int deliveredDuring,
        int heldDuring,
        int deliveredAfter,
        int quarantined,
        boolean isOutage,
        FaultyApi.Fault fault) {
      this.deliveredDuring = deliveredDuring;
      this.heldDuring = heldDuring;
      this.deliveredAfter = deliveredAfter;
      this.quarantined = quarantined;
      this.isOutage = isOutage;
      this.fault = fault;
    }

    /** The address that events are sent to while the fault lasts. */
    private URI address(URI right) {
      return switch (this) {
        case TLS_FAILURE -> URI.create("https://localhost:" + right.getPort());
        case DNS_FAILURE -> URI.create("http://no-such-host.invalid");
        default -> right;
      };
    }

    private static FaultyApi.Fault hang(String written) {
      return exchange -> {
        exchange.write(written);
        exchange.hang();
        exchange.socket().close();
        return true;
      };
    }

    private static FaultyApi.Fault status(int status, String headers) {
      return exchange -> exchange.answer(status, headers, "");
    }
  }

  @TempDir Path directory;

  private final FaultyApi api = new FaultyApi();
  private final CapturedLog log = new CapturedLog("eventlog");
  private final Losses losses = new Losses();
  private volatile EventLogClient reached = events -> null;

  @AfterEach
  void stop() throws Exception {
    api.close();
    log.close();
  }

  private static HttpEventLogClient client(URI address) {
    return HttpEventLogClient.builder(address).requestTimeout(Duration.ofMillis(400)).build();
  }

  private AsyncEventLogger logger() {
    return AsyncEventLogger.builder()
        .client(events -> reached.send(events))
        .spilloverPath(directory)
        .eventLossCallback(losses)
        .maxBatchWait(Duration.ofMillis(10))
        .maxRetries(1)
        .baseRetryDelay(Duration.ofMillis(5))
        .maxRetryDelay(Duration.ofMillis(20))
        .circuitBreakerThreshold(2)
        .circuitBreakerReset(Duration.ofMillis(20))
        .replayIntervalMs(20)
        .maxReplayTries(3)
        .closeTimeout(Duration.ofSeconds(2))
        .registerShutdownHook(false)
        .build();
  }

  @ParameterizedTest
  @EnumSource
  void eventsAreHeldDuringTheFaultAndDeliveredOrSetAsideAfterIt(Row row) {
    try (HttpEventLogClient during = client(row.address(api.uri()));
        HttpEventLogClient after = client(api.uri());
        AsyncEventLogger logger = logger()) {
      reached = during;
      api.fails(row.fault);

      logger.log(Events.events("e", EVENTS));

      AtomicInteger more = new AtomicInteger();
      Eventually.await(
          "the state during the fault",
          () ->
              hasCome(logger, row.deliveredDuring + more.get(), row.heldDuring)
                  && isQuarantined(logger, row, more)
                  && (!row.isOutage || isLogged("eventlog breaker open")));

      reached = after;
      api.works();
      logger.log(Events.events("later", EVENTS));

      Eventually.await(
          "the state after the fault",
          () -> hasCome(logger, EVENTS + row.deliveredAfter + more.get(), row.quarantined));
      assertThat(quarantined(logger)).isEqualTo(row.quarantined);
      assertThat(api.stored()).hasSize(EVENTS + row.deliveredAfter + more.get());
    }
  }

  /** Logs one more event if not: only while others are accepted is one event set aside. */
  private static boolean isQuarantined(AsyncEventLogger logger, Row row, AtomicInteger more) {
    boolean is = quarantined(logger) == row.quarantined;
    if (!is && row == Row.ERROR_FOR_ONE) {
      logger.log(Events.event("more-" + more.getAndIncrement()));
    }
    return is;
  }

  private boolean isLogged(String beginning) {
    return log.messages(Level.WARNING).stream().anyMatch(line -> line.startsWith(beginning));
  }

  private static long quarantined(AsyncEventLogger logger) {
    return logger.ledger().heldByPlace().get("quarantine");
  }

  private static boolean hasCome(AsyncEventLogger logger, int delivered, int held) {
    LedgerSnapshot ledger = logger.ledger();
    Map<String, Long> lost = ledger.lostByReason();
    return ledger.isAccountedFor()
        && ledger.delivered() == delivered
        && ledger.held() == held
        && lost.values().stream().allMatch(count -> count == 0);
  }
}
