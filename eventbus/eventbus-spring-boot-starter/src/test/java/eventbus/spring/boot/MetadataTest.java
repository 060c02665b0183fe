package eventbus.spring.boot;

import eventbus.EventBusBuilder;
import holdfast.spring.test.MetadataContract;
import holdfast.spring.test.Settings;
import java.util.List;
import java.util.Map;

/** What editors show of {@code eventbus.*}. */
class MetadataTest extends MetadataContract {

  MetadataTest() {
    super(
        "eventbus",
        () -> Settings.bound("eventbus", EventBusProperties.class, Map.of()),
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
