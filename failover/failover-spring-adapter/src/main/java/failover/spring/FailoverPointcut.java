package failover.spring;

import failover.Failover;
import java.lang.reflect.Method;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;

/** Methods annotated in their class or in a type above it. Stateless. */
final class FailoverPointcut extends StaticMethodMatcherPointcut {

  FailoverPointcut() {
    setClassFilter(type -> AnnotationUtils.isCandidateClass(type, Failover.class));
  }

  @Override
  public boolean matches(Method method, Class<?> targetClass) {
    return FailoverMethods.annotationOf(AopUtils.getMostSpecificMethod(method, targetClass))
        .isPresent();
  }
}
