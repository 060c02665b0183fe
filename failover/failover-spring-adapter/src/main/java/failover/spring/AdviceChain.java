package failover.spring;

import java.util.Arrays;
import java.util.List;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;

/**
 * The advice around a bean, the outermost first.
 *
 * @param isProxied whether there is any
 * @param isOutermost whether failover comes first
 * @param advice the simple names of the advice
 */
record AdviceChain(boolean isProxied, boolean isOutermost, List<String> advice) {

  static AdviceChain of(Object bean) {
    if (!(bean instanceof Advised advised)) {
      return new AdviceChain(false, false, List.of());
    }
    Advisor[] advisors = advised.getAdvisors();
    return new AdviceChain(
        Arrays.stream(advisors).anyMatch(AdviceChain::isFailover),
        advisors.length > 0 && isFailover(advisors[0]),
        Arrays.stream(advisors).map(AdviceChain::nameOf).toList());
  }

  private static boolean isFailover(Advisor advisor) {
    return advisor.getAdvice() instanceof FailoverInterceptor;
  }

  private static String nameOf(Advisor advisor) {
    return advisor.getAdvice().getClass().getSimpleName();
  }

  @Override
  public String toString() {
    return String.join(" > ", advice);
  }
}
