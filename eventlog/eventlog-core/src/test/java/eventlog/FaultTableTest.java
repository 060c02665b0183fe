package eventlog;

import static eventlog.LossReason.REJECTED_BY_API;
import static eventlog.LossReason.RETRIES_EXHAUSTED;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A table of faults of the API: where 20 events are while the fault lasts, where they are once it
 * is over, and why they are lost if there is no spillover. With spillover nothing is lost in any of
 * them.
 */
@Timeout(120)
class FaultTableTest {
  private static final int EVENTS = 20;

  /**
   * A fault, what it does to 20 events, whether it counts as an outage, how often the API must have
   * been asked, and why how many events are lost without spillover and with a breaker that opens
   * for no failure.
   */
  @SuppressWarnings("ImmutableEnumChecker") // a fault keeps nothing
  enum Row {
    STALLED_HEADER(0, 20, 20, 0, true, 1, RETRIES_EXHAUSTED, 20, hang("")),
    STALLED_BODY(
        0,
        20,
        20,
        0,
        true,
        1,
        RETRIES_EXHAUSTED,
        20,
        hang("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")),
    DRIPPING_BODY(
        0,
        20,
        20,
        0,
        true,
        1,
        RETRIES_EXHAUSTED,
        20,
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
        1,
        RETRIES_EXHAUSTED,
        20,
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
        1,
        RETRIES_EXHAUSTED,
        20,
        exchange -> {
          exchange.socket().setSoLinger(true, 0);
          exchange.socket().close();
          return true;
        }),
    TLS_FAILURE(0, 20, 20, 0, true, 0, RETRIES_EXHAUSTED, 20, exchange -> false),
    DNS_FAILURE(0, 20, 20, 0, true, 0, RETRIES_EXHAUSTED, 20, exchange -> false),
    TOO_MANY_REQUESTS(
        0, 20, 20, 0, false, 2, RETRIES_EXHAUSTED, 20, status(429, "Retry-After: 1\r\n")),
    UNAVAILABLE_WITH_RETRY_AFTER(
        0, 20, 20, 0, false, 2, RETRIES_EXHAUSTED, 20, status(503, "Retry-After: 1\r\n")),
    NOT_SUCCESSFUL(
        0,
        20,
        20,
        0,
        true,
        1,
        RETRIES_EXHAUSTED,
        20,
        exchange -> exchange.answer(200, "", "{\"success\":false}")),
    ERROR_FOR_ONE(
        19,
        1,
        19,
        1,
        false,
        1,
        RETRIES_EXHAUSTED,
        1,
        exchange -> exchange.keys().contains("e-7") && exchange.answer(500, "", "")),
    BAD_REQUEST_FOR_ALL(0, 20, 20, 0, true, 1, REJECTED_BY_API, 19, status(400, ""));

    private final int deliveredDuring;
    private final int heldDuring;
    private final int deliveredAfter;
    private final int quarantined;
    private final boolean isOutage;
    private final int requests;
    private final LossReason lossReason;
    private final int lost;
    private final FaultyApi.Fault fault;

    Row(
        int deliveredDuring,
        int heldDuring,
        int deliveredAfter,
        int quarantined,
        boolean isOutage,
        int requests,
        LossReason lossReason,
        int lost,
        FaultyApi.Fault fault) {
      this.deliveredDuring = deliveredDuring;
      this.heldDuring = heldDuring;
      this.deliveredAfter = deliveredAfter;
      this.quarantined = quarantined;
      this.isOutage = isOutage;
      this.requests = requests;
      this.lossReason = lossReason;
      this.lost = lost;
      this.fault = fault;
    }

    /** Whether the client gives up in the middle of an answer. */
    private boolean hangs() {
      return this == STALLED_HEADER || this == STALLED_BODY || this == DRIPPING_BODY;
    }

    /** Whether the API asks for a pause. */
    private boolean pauses() {
      return this == TOO_MANY_REQUESTS || this == UNAVAILABLE_WITH_RETRY_AFTER;
    }

    /** The address that events are sent to while the fault lasts. */
    private URI address(URI right, URI untrusted) {
      return switch (this) {
        case TLS_FAILURE -> untrusted;
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

  @BeforeAll
  static void startUntrusted(@TempDir Path keys) throws Exception {
    untrusted = UntrustedServer.start(keys);
  }

  @AfterAll
  static void stopUntrusted() {
    untrusted.close();
  }

  private final FaultyApi api = new FaultyApi();
  private static UntrustedServer untrusted;

  private final CapturedLog log = new CapturedLog("eventlog");
  private final Losses losses = new Losses();
  private volatile EventLogClient reached = events -> null;

  @AfterEach
  void stop() throws Exception {
    api.close();
    log.close();
  }

  private static HttpEventLogClient client(URI address) {
    return HttpEventLogClient.builder(address).build();
  }

  private HttpEventLogClient during(Row row) {
    URI address = row.address(api.uri(), untrusted.uri());
    return row.hangs()
        ? HttpEventLogClient.builder(address).requestTimeout(Duration.ofMillis(400)).build()
        : client(address);
  }

  private AsyncEventLoggerBuilder logger() {
    return AsyncEventLogger.builder()
        .client(events -> reached.send(events))
        .eventLossCallback(losses)
        .maxBatchWait(Duration.ofMillis(10))
        .maxRetries(1)
        .baseRetryDelay(Duration.ofMillis(5))
        .maxRetryDelay(Duration.ofMillis(20))
        .circuitBreakerReset(Duration.ofMillis(20))
        .replayIntervalMs(20)
        .maxReplayTries(3)
        .closeTimeout(Duration.ofSeconds(2))
        .registerShutdownHook(false);
  }

  private AsyncEventLogger spilling(Row row) {
    AsyncEventLoggerBuilder builder = logger().spilloverPath(directory).circuitBreakerThreshold(2);
    return row.pauses() ? builder.senderThreads(1).build() : builder.build();
  }

  /** Where batches would hide how many events are concerned, events are sent alone. */
  private AsyncEventLogger withoutDisk(Row row) {
    boolean alone = row == Row.ERROR_FOR_ONE || row == Row.BAD_REQUEST_FOR_ALL;
    return logger().circuitBreakerThreshold(1000).batchSize(alone ? 1 : EVENTS).build();
  }

  @ParameterizedTest
  @EnumSource
  void eventsAreHeldDuringTheFaultAndDeliveredOrSetAsideAfterIt(Row row) {
    try (HttpEventLogClient during = during(row);
        HttpEventLogClient after = client(api.uri());
        AsyncEventLogger logger = spilling(row)) {
      reached = during;
      api.fails(row.fault);

      logger.log(Events.events("e", EVENTS));

      AtomicInteger more = new AtomicInteger();
      Eventually.await(
          "the state during the fault",
          () ->
              hasCome(logger, row.deliveredDuring + more.get(), row.heldDuring)
                  && isQuarantined(logger, row, more)
                  && api.requests() >= row.requests
                  && (!row.isOutage || isLogged("eventlog breaker open")));

      if (row == Row.TLS_FAILURE) {
        assertThat(log.messages(Level.WARNING))
            .anyMatch(line -> line.contains("SSLHandshakeException") && line.contains("PKIX"));
      }
      if (row.pauses()) { // one sender, and nothing on disk yet: nobody else has asked
        assertThat(api.firstPause()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
      }
      int refused = row == Row.BAD_REQUEST_FOR_ALL ? quarantinedAtRest(logger) : 0;
      assertThat(refused).as("refused alone before the breaker opened").isLessThan(EVENTS / 2);

      reached = after;
      api.works();
      logger.log(Events.events("later", EVENTS));

      Eventually.await(
          "the state after the fault",
          () ->
              hasCome(
                  logger,
                  EVENTS + row.deliveredAfter - refused + more.get(),
                  row.quarantined + refused));
      assertThat(quarantined(logger)).isEqualTo(row.quarantined + refused);
      assertThat(api.stored()).hasSize(EVENTS + row.deliveredAfter - refused + more.get());
    }
  }

  @ParameterizedTest
  @EnumSource
  void withoutSpilloverEventsAreLostForTheReasonInTheTable(Row row) {
    try (HttpEventLogClient during = during(row);
        HttpEventLogClient after = client(api.uri());
        AsyncEventLogger logger = withoutDisk(row)) {
      reached = during;
      api.fails(row.fault);

      logger.log(Events.events("e", EVENTS));

      Eventually.await("lost", () -> logger.ledger().lost() == row.lost);
      assertThat(api.requests()).isGreaterThanOrEqualTo(row.requests);

      reached = after;
      api.works();
      logger.log(Events.events("later", EVENTS));

      Eventually.await("delivered", () -> logger.ledger().delivered() == 2 * EVENTS - row.lost);
      LedgerSnapshot ledger = logger.ledger();
      assertThat(ledger.lostByReason()).containsEntry(row.lossReason.code(), (long) row.lost);
      assertThat(ledger.lost()).isEqualTo(row.lost);
      Eventually.await("told", () -> losses.told().size() == row.lost);
      assertThat(losses.told()).allMatch(told -> told.startsWith("e-"));
      assertThat(api.stored()).hasSize(2 * EVENTS - row.lost);
      LoggerFixture.assertBalanced(logger);
    }
  }

  /** Logs one more event if not: only while others are accepted is one event set aside. */
  private static boolean isQuarantined(AsyncEventLogger logger, Row row, AtomicInteger more) {
    boolean is = row == Row.BAD_REQUEST_FOR_ALL || quarantined(logger) == row.quarantined;
    if (!is && row == Row.ERROR_FOR_ONE) {
      logger.log(Events.event("more-" + more.getAndIncrement()));
    }
    return is;
  }

  private boolean isLogged(String beginning) {
    return log.messages(Level.WARNING).stream().anyMatch(line -> line.startsWith(beginning));
  }

  private static int quarantined(AsyncEventLogger logger) {
    return Math.toIntExact(logger.ledger().heldByPlace().get("quarantine"));
  }

  /** Once no event is on its way to the disk. */
  private static int quarantinedAtRest(AsyncEventLogger logger) {
    LoggerFixture.settle(logger);
    return quarantined(logger);
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
