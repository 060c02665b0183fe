package failover.spring;

import java.util.function.Supplier;
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

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    return proxies.postProcessAfterInitialization(bean, beanName);
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
