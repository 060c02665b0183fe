package failover.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import failover.FailoverSpecBuilder;
import failover.Failovers;
import failover.FailoversBuilder;
import holdfast.spring.test.MetadataContract;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What editors show of {@code failover.*}. */
class MetadataTest extends MetadataContract {

  MetadataTest() {
    super(
        "failover",
        FailoverProperties::new,
        List.of(
            "failover.never-on",
            "failover.observable.instance.id",
            "failover.points",
            "failover.recover-on",
            "failover.store.encryption.cipher",
            "failover.store.encryption.enabled",
            "failover.store.encryption.key",
            "failover.store.encryption.previous-keys",
            "failover.store.jdbc.encryption.cipher",
            "failover.store.jdbc.encryption.enabled",
            "failover.store.jdbc.encryption.key",
            "failover.store.jdbc.table-prefix",
            "failover.store.multitenant.default-tenant",
            "failover.store.multitenant.tenants"),
        FailoversBuilder.class,
        FailoverSpecBuilder.class,
        Failovers.class);
  }

  /** The keys that applications have in their files already; a new name would break them. */
  @Test
  void theKnownKeysAreThere() throws IOException {
    assertThat(items().keySet())
        .contains(
            "failover.enabled",
            "failover.aspect.enabled",
            "failover.type",
            "failover.exception-policy",
            "failover.store.type",
            "failover.store.async",
            "failover.store.async-executor.concurrency-limit",
            "failover.store.async-executor.rejection-policy",
            "failover.store.inmemory.max-entries",
            "failover.store.caffeine.max-size",
            "failover.store.jdbc.table-prefix",
            "failover.store.jdbc.live-entries-gauge-enabled",
            "failover.scheduler.enabled",
            "failover.scheduler.cleanup-cron",
            "failover.scheduler.report-cron",
            "failover.observable.async.enabled",
            "failover.observable.async.queue-capacity",
            "failover.observable.instance.mode",
            "failover.observable.instance.id",
            "failover.observable.cardinality.enabled",
            "failover.observable.cardinality.max-apis");
  }
}
