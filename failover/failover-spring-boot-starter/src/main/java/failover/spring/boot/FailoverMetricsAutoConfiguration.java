package failover.spring.boot;

import failover.Failovers;
import failover.store.FailoverStore;
import holdfast.micrometer.LedgerMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The meters and the ledger of failover, where there is a registry. Stateless. */
@AutoConfiguration(
    after = FailoverAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnClass({MeterRegistry.class, LedgerMetrics.class})
@ConditionalOnBean({MeterRegistry.class, Failovers.class})
public class FailoverMetricsAutoConfiguration {

  /** For Spring. */
  public FailoverMetricsAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  FailoverMeters failoverMeters(
      ObjectProvider<Failovers> failovers,
      ObjectProvider<FailoverStore> store,
      StoreEncryption encryption,
      FailoverProperties properties,
      Environment environment) {
    ObservableProperties observable = properties.getObservable();
    CardinalityProperties cardinality = observable.getCardinality();
    return new FailoverMeters(
        failovers,
        store,
        encryption,
        new MeterSet(
            new InstanceTag(observable.getInstance(), environment), observable.isHistograms()),
        cardinality.isEnabled() ? cardinality.getMaxApis() : Integer.MAX_VALUE);
  }

  @Bean
  @ConditionalOnMissingBean(name = "failoverLedgerMetrics")
  LedgerMetrics failoverLedgerMetrics(Failovers failovers) {
    return LedgerMetrics.of("failover", failovers::ledger);
  }
}
