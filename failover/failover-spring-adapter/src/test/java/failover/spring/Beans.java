package failover.spring;

import failover.Failovers;
import failover.expiry.ExpiryExpressions;
import failover.expiry.ExpiryPolicy;
import failover.key.KeyGenerator;
import failover.proxy.AnnotatedPoints;
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
    return new FailoverMethods(
        failovers,
        new AnnotatedPoints(
            beans.getBeansOfType(KeyGenerator.class),
            beans.getBeansOfType(ExpiryPolicy.class),
            new ExpiryExpressions(text -> String.valueOf(beans.resolveEmbeddedValue(text)))));
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
