package tracer.spring.boot;

import holdfast.spring.boot.StartException;
import java.lang.reflect.Modifier;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;

/**
 * Puts the advice around beans with {@link tracer.spring.Traced} methods, before all other advice,
 * so that a transaction's end is part of the span. Needs no AspectJ. Safe for use by many threads.
 */
final class TracedProxies extends AbstractBeanFactoryAwareAdvisingPostProcessor {
  private static final long serialVersionUID = 1L;

  TracedProxies(TracedAdvice advice, boolean proxiesClasses) {
    setBeforeExistingAdvisors(true);
    setProxyTargetClass(proxiesClasses);
    this.advisor = new DefaultPointcutAdvisor(new TracedPointcut(), advice);
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    try {
      return super.postProcessAfterInitialization(bean, beanName);
    } catch (AopConfigException e) {
      if (!Modifier.isFinal(bean.getClass().getModifiers())) {
        throw e;
      }
      throw new StartException(
          "bean '%s' with @Traced of %s must not be final, since its proxy extends it"
              .formatted(beanName, bean.getClass()),
          "remove the modifier final, or give the class an interface with the annotated methods and"
              + " set spring.aop.proxy-target-class=false",
          e);
    }
  }
}
