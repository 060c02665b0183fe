package failover.spring;

import failover.Failover;
import java.lang.reflect.Method;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** Methods that are annotated, or whose class or a type above it is. Stateless. */
final class FailoverPointcut extends StaticMethodMatcherPointcut {

  FailoverPointcut() {
    setClassFilter(type -> AnnotationUtils.isCandidateClass(type, Failover.class));
  }

  @Override
  public boolean matches(Method method, Class<?> targetClass) {
    Class<?> type = ClassUtils.getUserClass(targetClass);
    return DeclaredFailover.of(AopUtils.getMostSpecificMethod(method, type), type).isPresent();
  }
}
