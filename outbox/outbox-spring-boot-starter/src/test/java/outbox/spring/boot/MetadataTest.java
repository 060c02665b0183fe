package outbox.spring.boot;

import holdfast.spring.test.MetadataContract;
import holdfast.spring.test.Settings;
import java.util.List;
import java.util.Map;
import outbox.jdbc.JdbcOutboxBuilder;

/** What editors show of {@code outbox.*}. */
class MetadataTest extends MetadataContract {

  MetadataTest() {
    super(
        "outbox",
        () -> Settings.bound("outbox", OutboxProperties.class, Map.of()),
        List.of(
            "outbox.concurrency",
            "outbox.dialect",
            "outbox.listener-timeout",
            "outbox.listener-timeouts",
            "outbox.node",
            "outbox.retention",
            "outbox.retry-max-attempts"),
        JdbcOutboxBuilder.class);
  }
}
