package failover.spring;

import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Puts the advice around beans with {@link failover.Failover} methods, outside of all other advice:
 * retries, breakers and transactions are part of the call that may fail.
 *
 * <p>It has no order on purpose. Spring's own processors that insert advice in front of the rest
 * are ordered, and those without an order come after all of them. Safe for use by many threads.
 */
public final class FailoverBeanPostProcessor implements BeanPostProcessor, BeanFactoryAware {
  private final Proxies proxies;

  /**
   * A processor.
   *
   * @param methods knows the points; not asked for before the first annotated call
   * @param proxiesClasses whether proxies extend the class of a bean even if it has interfaces
   */
  public FailoverBeanPostProcessor(Supplier<FailoverMethods> methods, boolean proxiesClasses) {
    this.proxies = new Proxies(new FailoverInterceptor(methods), proxiesClasses);
  }

  @Override
  public void setBeanFactory(BeanFactory beanFactory) {
    proxies.setBeanFactory(beanFactory);
  }

  /**
   * Puts the advice around a bean, if it has annotated methods.
   *
   * @throws FailoverScannerException if it can have no proxy, because its class is final
   */
  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    try {
      return proxies.postProcessAfterInitialization(bean, beanName);
    } catch (AopConfigException e) {
      if (!Modifier.isFinal(bean.getClass().getModifiers())) {
        throw e;
      }
      throw new FailoverScannerException(
          List.of(
              "bean '%s' with @Failover of %s must not be final, since its proxy extends it; take away"
                      .formatted(beanName, bean.getClass())
                  + " final, or give it an interface with the annotated methods and have proxies"
                  + " implement that (spring.aop.proxy-target-class=false)"));
    }
  }

  private static final class Proxies extends AbstractBeanFactoryAwareAdvisingPostProcessor {
    private static final long serialVersionUID = 1L;

    Proxies(FailoverInterceptor interceptor, boolean proxiesClasses) {
      setBeforeExistingAdvisors(true);
      setProxyTargetClass(proxiesClasses);
      this.advisor = new DefaultPointcutAdvisor(new FailoverPointcut(), interceptor);
    }
  }
}
