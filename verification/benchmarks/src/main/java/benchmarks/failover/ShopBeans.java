package benchmarks.failover;

import com.github.benmanes.caffeine.cache.Caffeine;
import failover.Failovers;
import failover.caffeine.CaffeineFailoverStore;
import failover.proxy.AnnotatedPoints;
import failover.spring.FailoverBeanPostProcessor;
import failover.spring.FailoverMethods;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.caffeine.CaffeineCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Two shops: one protected by failover, one behind a cache, both by proxies of their class. */
@Configuration(proxyBeanMethods = false)
@EnableCaching(proxyTargetClass = true)
class ShopBeans {

  @Bean
  static FailoverBeanPostProcessor failoverBeanPostProcessor(BeanFactory beans) {
    return new FailoverBeanPostProcessor(() -> beans.getBean(FailoverMethods.class), true);
  }

  @Bean
  Failovers failovers() {
    return Failovers.builder(new CaffeineFailoverStore()).build();
  }

  @Bean
  FailoverMethods failoverMethods(Failovers failovers) {
    return new FailoverMethods(failovers, AnnotatedPoints.plain());
  }

  @Bean
  CacheManager cacheManager() {
    CaffeineCacheManager manager = new CaffeineCacheManager("prices");
    manager.registerCustomCache(
        "bounded",
        Caffeine.newBuilder().maximumSize(CaffeineFailoverStore.DEFAULT_MAX_SIZE).build());
    return manager;
  }

  @Bean
  Shop shop() {
    return new Shop();
  }
}
