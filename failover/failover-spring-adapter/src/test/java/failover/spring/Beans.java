package failover.spring;

import failover.Failovers;
import failover.expiry.ExpiryPolicy;
import failover.key.KeyGenerator;
import failover.store.InMemoryFailoverStore;
import java.time.Instant;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What an application without Boot writes. */
@Configuration(proxyBeanMethods = false)
class Beans {

  @Bean
  static FailoverBeanPostProcessor failoverBeanPostProcessor(BeanFactory beans) {
    return new FailoverBeanPostProcessor(() -> beans.getBean(FailoverMethods.class), false);
  }

  @Bean
  Failovers failovers() {
    return Failovers.builder(new InMemoryFailoverStore()).build();
  }

  @Bean
  FailoverMethods failoverMethods(Failovers failovers, ConfigurableListableBeanFactory beans) {
    return FailoverMethods.of(failovers, beans);
  }

  @Bean
  SpringContextFailoverScanner failoverScanner(
      ConfigurableListableBeanFactory beans, FailoverMethods methods) {
    return new SpringContextFailoverScanner(beans, methods, true);
  }

  @Bean
  KeyGenerator firstLetter() {
    return (spec, args) -> String.valueOf(args.get(0)).substring(0, 1);
  }

  @Bean
  ExpiryPolicy forever() {
    return (spec, asOf) -> Instant.parse("9999-01-01T00:00:00Z");
  }
}
