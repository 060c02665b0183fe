package failover.spring;

import org.springframework.aop.framework.AopProxyUtils;

/** What is behind proxies. */
final class Targets {
  private Targets() {}

  @SuppressWarnings("unchecked")
  static <T> T of(T proxy) {
    return (T) AopProxyUtils.getSingletonTarget(proxy);
  }
}
