package outbox.spring.boot;

import holdfast.micrometer.LedgerMetrics;
import holdfast.time.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import outbox.jdbc.JdbcOutbox;

/**
 * The outbox's meters and its ledger, where there is a registry; Boot binds them to it. Stateless.
 */
@AutoConfiguration(
    after = OutboxAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnClass({MeterRegistry.class, LedgerMetrics.class})
@ConditionalOnBean({MeterRegistry.class, JdbcOutbox.class})
public class OutboxMetricsAutoConfiguration {

  /** For Spring. */
  public OutboxMetricsAutoConfiguration() {}

  @Bean
  @ConditionalOnBean(OutboxCounters.class)
  OutboxMeters outboxMeters(OutboxCounters counters, JdbcOutbox outbox) {
    return new OutboxMeters(counters, outbox.dispatcher());
  }

  @Bean
  @ConditionalOnMissingBean(name = "outboxLedgerMetrics")
  LedgerMetrics outboxLedgerMetrics(JdbcOutbox outbox, OutboxProperties properties) {
    Duration maxAge = properties.metrics().ledgerMaxAge();
    return LedgerMetrics.of("outbox", outbox::ledger, maxAge, TimeSource.system());
  }
}
