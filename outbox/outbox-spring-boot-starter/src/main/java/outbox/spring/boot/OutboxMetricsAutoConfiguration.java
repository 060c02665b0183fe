package outbox.spring.boot;

import holdfast.micrometer.BooksMetrics;
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
 * The outbox's meters and its books, where there is a registry; Boot binds them to it. Stateless.
 */
@AutoConfiguration(
    after = OutboxAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnClass({MeterRegistry.class, BooksMetrics.class})
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
  @ConditionalOnMissingBean(name = "outboxBooksMetrics")
  BooksMetrics outboxBooksMetrics(JdbcOutbox outbox, OutboxProperties properties) {
    Duration maxAge = properties.getMetrics().getBooksMaxAge();
    return BooksMetrics.of("outbox", outbox::books, maxAge, TimeSource.system());
  }
}
