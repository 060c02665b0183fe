package failover.spring.boot;

import failover.Failovers;
import failover.FailoversBuilder;
import failover.codec.PayloadCodec;
import failover.execution.ContextPropagator;
import failover.observe.FailoverLifecycleListener;
import failover.observe.ObservablePublisher;
import failover.recovery.FailoverHandler;
import failover.recovery.RecoveredPayloadHandler;
import failover.spring.FailoverBeanPostProcessor;
import failover.spring.FailoverMethods;
import failover.spring.MdcLogPublisher;
import failover.spring.SpringContextFailoverScanner;
import failover.store.FailoverStore;
import failover.store.encryption.PayloadCipher;
import failover.tenant.TenantResolver;
import failover.tenant.TenantStoreFactory;
import holdfast.spring.LibraryLifecycle;
import holdfast.spring.boot.UnknownProperties;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Failover for the beans of an application. Every bean gives way to the application's own.
 * Stateless.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "io.github.resilience4j.springboot.circuitbreaker.autoconfigure.CircuitBreakerAutoConfiguration"
    })
@ConditionalOnBooleanProperty(name = "failover.enabled", matchIfMissing = true)
@EnableConfigurationProperties(FailoverProperties.class)
public class FailoverAutoConfiguration {

  /** For Spring. */
  public FailoverAutoConfiguration() {}

  @Bean
  @ConditionalOnBooleanProperty(name = "failover.aspect.enabled", matchIfMissing = true)
  static FailoverBeanPostProcessor failoverBeanPostProcessor(
      BeanFactory beans, Environment environment) {
    boolean proxiesClasses =
        environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true);
    return new FailoverBeanPostProcessor(
        () -> beans.getBean(FailoverMethods.class), proxiesClasses);
  }

  @Bean
  StoreEncryption failoverStoreEncryption(
      FailoverProperties properties, ObjectProvider<PayloadCipher> ciphers) {
    return new StoreEncryption(properties.getStore(), ciphers.orderedStream().toList());
  }

  @Bean
  StoreTenants failoverStoreTenants(
      FailoverProperties properties,
      ObjectProvider<TenantResolver> resolver,
      ObjectProvider<TenantStoreFactory> factory) {
    return new StoreTenants(
        properties.getStore(), resolver.getIfAvailable(), factory.getIfAvailable());
  }

  @Bean
  @ConditionalOnMissingBean
  @DependsOnDatabaseInitialization
  FailoverStore failoverStore(
      FailoverProperties properties,
      StoreEncryption encryption,
      StoreTenants tenants,
      ObjectProvider<DataSource> dataSource,
      ListableBeanFactory beans) {
    Settings.check(properties);
    return new StoreAssembly(properties.getStore(), encryption, tenants)
        .store(
            dataSource::getIfUnique,
            () -> beans.getBeanNamesForType(DataSource.class, true, false));
  }

  @Bean
  @ConditionalOnBooleanProperty(name = "failover.observable.log-events")
  @ConditionalOnMissingBean
  MdcLogPublisher failoverMdcLogPublisher() {
    return new MdcLogPublisher();
  }

  @Bean
  @ConditionalOnMissingBean
  Failovers failovers(
      FailoverStore store,
      StoreEncryption encryption,
      StoreTenants tenants,
      FailoverProperties properties,
      Parts parts,
      ObjectProvider<PayloadCodec> codec,
      ObjectProvider<FailoverHandler> handler,
      ObjectProvider<RecoveredPayloadHandler> recovered,
      ObjectProvider<ObservablePublisher> publishers,
      ObjectProvider<FailoverLifecycleListener> listeners,
      ObjectProvider<FailoverCustomizer> customizers) {
    Settings.check(properties);
    EventsProperties events = properties.getObservable().getAsync();
    CardinalityProperties cardinality = properties.getObservable().getCardinality();
    FailoversBuilder builder =
        Failovers.builder(encryption.complete(store))
            .recoverable(Settings.recoverable(properties))
            .exceptionPolicy(parts.policy())
            .execution(parts.execution())
            .insideTransaction(parts.insideTransaction())
            .contextPropagator(parts.contextPropagator())
            .closeTimeout(properties.getCloseTimeout())
            .timedCalls(properties.getTimedCalls())
            .readTimeout(properties.getStore().getReadTimeout())
            .maxPoints(cardinality.isEnabled() ? cardinality.getMaxApis() : Integer.MAX_VALUE)
            .publisherQueue(events.isEnabled() ? events.getQueueCapacity() : 0)
            .sweeps(Settings.schedule(properties.getScheduler().getCleanupCron()))
            .reports(Settings.schedule(properties.getScheduler().getReportCron()));
    tenants.applyTo(builder);
    codec.ifAvailable(builder::codec);
    handler.ifAvailable(bean -> builder.handler(own -> bean));
    recovered.ifAvailable(builder::recoveredPayloadHandler);
    publishers.orderedStream().forEach(builder::publisher);
    listeners.orderedStream().forEach(builder::lifecycleListener);
    customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    return builder.build();
  }

  @Bean
  Parts failoverParts(
      FailoverProperties properties,
      ConfigurableListableBeanFactory beans,
      ObjectProvider<ContextPropagator> propagators) {
    return new Parts(properties, beans, propagators);
  }

  @Bean
  @ConditionalOnMissingBean
  FailoverMethods failoverMethods(
      Failovers failovers, ConfigurableListableBeanFactory beans, FailoverProperties properties) {
    return FailoverMethods.of(
        failovers,
        beans,
        (name, point) -> {
          PointProperties own = properties.getPoints().get(name);
          if (own != null) {
            own.applyTo(point, new PointBeans(beans, name));
          }
        });
  }

  @Bean
  @ConditionalOnMissingBean
  SpringContextFailoverScanner failoverScanner(
      ConfigurableListableBeanFactory beans,
      FailoverMethods methods,
      FailoverProperties properties) {
    return new SpringContextFailoverScanner(beans, methods, properties.getAspect().isEnabled());
  }

  /** Looks at what the scanner has found, so it comes after the scanner. */
  @Bean
  UnknownPoints failoverUnknownPoints(
      SpringContextFailoverScanner scanner,
      FailoverProperties properties,
      Environment environment) {
    return new UnknownPoints(scanner, properties.getPoints().keySet(), environment);
  }

  @Bean
  UnknownProperties failoverUnknownProperties(Environment environment) {
    return new UnknownProperties("failover", environment);
  }

  @Bean
  LibraryLifecycle failoverLifecycle(Failovers failovers, FailoverProperties properties) {
    return new LibraryLifecycle(
        "failover",
        () -> {
          if (properties.getScheduler().isEnabled()) {
            failovers.start();
          }
        },
        () -> failovers.close(properties.getCloseTimeout()));
  }

  @Bean
  FailoverSummary failoverSummary(
      SpringContextFailoverScanner scanner,
      FailoverStore store,
      StoreEncryption encryption,
      StoreTenants tenants,
      FailoverProperties properties) {
    return new FailoverSummary(scanner, store, encryption, tenants, properties);
  }
}
