package eventbus.spring.boot;

import eventbus.EventBusBuilder;
import holdfast.spring.test.MetadataContract;
import java.util.List;

/** What editors show of {@code eventbus.*}. */
class MetadataTest extends MetadataContract {

  MetadataTest() {
    super(
        "eventbus",
        EventBusProperties::new,
        List.of(
            "eventbus.concurrency",
            "eventbus.failed-retention",
            "eventbus.handler-timeout",
            "eventbus.handler-timeouts",
            "eventbus.heartbeat",
            "eventbus.name",
            "eventbus.retention",
            "eventbus.retry.max-attempts"),
        EventBusBuilder.class);
  }
}
