package failover.spring.boot;

import failover.FailoversBuilder;

/** Changes what the starter sets, before {@link failover.Failovers} is built. */
@FunctionalInterface
public interface FailoverCustomizer {

  /** Sets something, or replaces what was set. */
  void customize(FailoversBuilder builder);
}
