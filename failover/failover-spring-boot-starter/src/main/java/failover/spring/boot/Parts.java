package failover.spring.boot;

import failover.execution.ContextPropagator;
import failover.execution.FailoverExecution.ExecutionFactory;
import failover.execution.MethodExceptionPolicy;
import failover.execution.MethodExceptionPolicy.ExceptionPolicy;
import failover.resilience.ResilienceFailoverExecution;
import failover.spring.MdcContextPropagator;
import failover.spring.SnapshotContextPropagator;
import failover.tenant.TenantContext;
import holdfast.spring.boot.StartException;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * The parts of {@link failover.Failovers} that the application chooses, or that are there or not.
 * Immutable.
 */
final class Parts {
  private static final String REPLACEMENT = "contextPropagator";

  private final FailoverProperties properties;
  private final BeanFactory beans;
  private final ObjectProvider<ContextPropagator> propagators;

  Parts(
      FailoverProperties properties,
      BeanFactory beans,
      ObjectProvider<ContextPropagator> propagators) {
    this.properties = properties;
    this.beans = beans;
    this.propagators = propagators;
  }

  private static boolean isThere(String type) {
    return ClassUtils.isPresent(type, null); // by the loader of the application
  }

  /** What makes calls. */
  ExecutionFactory execution() {
    return switch (properties.getType()) {
      case BASIC -> ExecutionFactory.BASIC;
      case RESILIENCE -> resilience();
      case CUSTOM ->
          required(ExecutionFactory.class, "failover.type", "failover.type to basic or resilience");
    };
  }

  private ExecutionFactory resilience() {
    if (!isThere("io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry")) {
      throw new StartException(
          "failover.type is resilience but Resilience4j is not there",
          "add the dependency io.github.resilience4j:resilience4j-circuitbreaker, or set"
              + " failover.type=basic");
    }
    return Breakers.of(beans);
  }

  /** Not loaded where there are no breakers. */
  private static final class Breakers {
    private Breakers() {}

    static ExecutionFactory of(BeanFactory beans) {
      return ResilienceFailoverExecution.with(
          beans
              .getBeanProvider(CircuitBreakerRegistry.class)
              .getIfAvailable(CircuitBreakerRegistry::ofDefaults));
    }
  }

  /** What callers get when nothing is found. */
  MethodExceptionPolicy policy() {
    return switch (properties.getExceptionPolicy()) {
      case RETHROW -> ExceptionPolicy.RETHROW;
      case NEVER_THROW -> ExceptionPolicy.NEVER_THROW;
      case CUSTOM ->
          required(
              MethodExceptionPolicy.class,
              "failover.exception-policy",
              "failover.exception-policy to rethrow or never_throw");
    };
  }

  private <T> T required(Class<T> type, String property, String otherwise) {
    T bean = beans.getBeanProvider(type).getIfUnique();
    if (bean == null) {
      throw new StartException(
          "%s is custom but there is not one %s bean".formatted(property, type.getSimpleName()),
          "define one, or set " + otherwise);
    }
    return bean;
  }

  /** Whether the current thread is in a transaction of Spring's. */
  BooleanSupplier insideTransaction() {
    return isThere("org.springframework.transaction.support.TransactionSynchronizationManager")
        ? TransactionSynchronizationManager::isActualTransactionActive
        : () -> false;
  }

  /** A bean of that name alone, or what is known and the application's own. */
  ContextPropagator contextPropagator() {
    if (beans.containsBean(REPLACEMENT)) {
      return beans.getBean(REPLACEMENT, ContextPropagator.class);
    }
    List<ContextPropagator> all = new ArrayList<>();
    if (isThere("io.micrometer.context.ContextSnapshotFactory")) {
      all.add(new SnapshotContextPropagator());
    }
    if (isThere("org.slf4j.MDC")) {
      all.add(new MdcContextPropagator());
    }
    if (isThere("org.springframework.security.core.context.SecurityContextHolder")) {
      all.add(new SecurityContextPropagator());
    }
    if (properties.getContext().isRequestAttributes()) {
      all.add(requestAttributes());
    }
    if (properties.getStore().getMultitenant().isEnabled()) {
      all.add(TenantContext.propagator());
    }
    all.addAll(propagators.orderedStream().toList());
    return ContextPropagator.all(all);
  }

  private static ContextPropagator requestAttributes() {
    if (!isThere("org.springframework.web.context.request.RequestContextHolder")) {
      throw new StartException(
          "failover.context.request-attributes is true but Spring Web is not there",
          "add the dependency org.springframework:spring-web, or leave the setting out");
    }
    return new RequestAttributesPropagator();
  }
}
