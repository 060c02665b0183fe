package eventlog.spring;

import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;

/**
 * Puts the advice around beans with {@link LogEvent} methods, before all other advice, so that a
 * transaction's end is part of what is logged. Needs no AspectJ. Safe for use by many threads.
 */
final class LogEventProxies extends AbstractBeanFactoryAwareAdvisingPostProcessor {
  private static final long serialVersionUID = 1L;

  LogEventProxies(LogEventAdvice advice, boolean proxiesClasses) {
    setBeforeExistingAdvisors(true);
    setProxyTargetClass(proxiesClasses);
    this.advisor =
        new DefaultPointcutAdvisor(
            new AnnotationMatchingPointcut(null, LogEvent.class, true), advice);
  }
}
