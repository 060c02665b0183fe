package eventlog.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.AsyncEventLogger;
import eventlog.EventLogEntry;
import eventlog.Events;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events reach a collector that others have written, in both encodings, compressed or not. */
@Timeout(60)
class RealCollectorTest {
  private static final int EVENTS = 300;
  private static final Pattern ID = Pattern.compile("log\\.record\\.uid: Str\\(([^)]+)\\)");

  private static Set<String> ids(Rotel collector) {
    return collector.lines().stream()
        .flatMap(line -> ID.matcher(line).results())
        .map((MatchResult id) -> id.group(1))
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @CsvSource({"PROTOBUF, 0", "PROTOBUF, 100000000", "JSON, 0", "JSON, 100000000"})
  void everyEventComesOut(OtlpEncoding encoding, int gzipFromBytes) throws Exception {
    List<EventLogEntry> events = Events.events("e", EVENTS);
    EventLogEntry last =
        Events.builder("last")
            .summary("an \u00e4rger\u20ac \uD83D\uDE00")
            .metadata(Map.of("amount", 12.5, "count", 9_007_199_254_740_993L))
            .build();
    try (Rotel collector = Rotel.start();
        OtlpEventLogClient client =
            OtlpEventLogClient.builder(collector.address())
                .encoding(encoding)
                .gzipFromBytes(gzipFromBytes)
                .build();
        AsyncEventLogger logger =
            AsyncEventLogger.builder()
                .client(client)
                .maxRetries(1000) // until it has started
                .baseRetryDelay(Duration.ofMillis(20))
                .maxRetryDelay(Duration.ofMillis(50))
                .circuitBreakerThreshold(1000)
                .registerShutdownHook(false)
                .build()) {
      logger.log(events);
      logger.log(last);

      Eventually.await(
          "every event is taken and printed",
          () -> logger.ledger().delivered() == EVENTS + 1 && ids(collector).size() == EVENTS + 1);
      assertThat(logger.ledger().lost()).isZero();
      assertThat(ids(collector)).containsAll(Events.keys(events)).contains("last");
      assertThat(String.join("\n", collector.lines()))
          .contains("an \u00e4rger\u20ac \uD83D\uDE00", "9007199254740993", "12.5");
    }
  }
}
