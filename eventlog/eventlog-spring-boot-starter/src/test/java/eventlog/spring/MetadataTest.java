package eventlog.spring;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.AsyncEventLoggerBuilder;
import eventlog.HttpEventLogClientBuilder;
import holdfast.spring.test.MetadataContract;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What editors show of {@code eventlog.*}. */
class MetadataTest extends MetadataContract {

  MetadataTest() {
    super(
        "eventlog",
        EventLogProperties::new,
        List.of(
            "eventlog.api-key",
            "eventlog.application-id",
            "eventlog.async.replay-batch-size",
            "eventlog.async.spillover-path",
            "eventlog.base-url",
            "eventlog.bearer-token",
            "eventlog.originating-system",
            "eventlog.redaction.fields",
            "eventlog.target-system"),
        AsyncEventLoggerBuilder.class,
        HttpEventLogClientBuilder.class);
  }

  /** The keys that applications have in their files already; a new name would break them. */
  @Test
  void theKeysOfTheDocumentAreThere() throws IOException {
    assertThat(items().keySet())
        .contains(
            "eventlog.async.spillover-path",
            "eventlog.async.replay-interval-ms",
            "eventlog.async.max-spillover-events",
            "eventlog.async.max-spillover-size-mb",
            "eventlog.metrics.enabled");
    EventLogProperties defaults = new EventLogProperties();
    assertThat(defaults.getAsync().getSpilloverPath()).isNull();
    assertThat(defaults.getAsync().getReplayIntervalMs()).isEqualTo(10_000);
    assertThat(defaults.getAsync().getMaxSpilloverEvents()).isEqualTo(10_000);
    assertThat(defaults.getAsync().getMaxSpilloverSizeMb()).isEqualTo(50);
    assertThat(defaults.getMetrics().isEnabled()).isTrue();
  }
}
