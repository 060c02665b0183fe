package outbox.spring.boot;

import holdfast.spring.test.MetadataContract;
import java.util.List;
import outbox.jdbc.JdbcOutboxBuilder;

/** What editors show of {@code outbox.*}. */
class MetadataTest extends MetadataContract {

  MetadataTest() {
    super(
        "outbox",
        OutboxProperties::new,
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
