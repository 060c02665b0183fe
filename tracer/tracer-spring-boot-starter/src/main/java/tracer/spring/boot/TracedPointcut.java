package tracer.spring.boot;

import java.lang.reflect.Method;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import tracer.spring.Traced;

/** Methods that are annotated, or whose class or a type above it is. Stateless. */
final class TracedPointcut extends StaticMethodMatcherPointcut {

  TracedPointcut() {
    setClassFilter(type -> AnnotationUtils.isCandidateClass(type, Traced.class));
  }

  @Override
  public boolean matches(Method method, Class<?> targetClass) {
    Class<?> type = ClassUtils.getUserClass(targetClass);
    return TracedMethods.annotation(AopUtils.getMostSpecificMethod(method, type), type) != null;
  }
}
