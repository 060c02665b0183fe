package failover.spring.boot;

import failover.FailoversBuilder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/** The settings {@code failover.*}. Not safe for use by many threads. */
@ConfigurationProperties("failover")
public class FailoverProperties {
  /** Whether there is failover at all. */
  private boolean enabled = true;

  /**
   * What makes calls: BASIC, RESILIENCE for circuit breakers of Resilience4j, or CUSTOM for an
   * ExecutionFactory bean.
   */
  private ExecutionType type = ExecutionType.BASIC;

  /**
   * What callers get when nothing is found: RETHROW, NEVER_THROW, or CUSTOM for a
   * MethodExceptionPolicy bean.
   */
  private PolicyType exceptionPolicy = PolicyType.RETHROW;

  /** Whether every exception is recovered, also mistakes of callers. */
  private boolean recoverAny = false;

  /**
   * Failures to be recovered at points that say nothing themselves; none for all but mistakes of
   * callers.
   */
  private List<Class<? extends Throwable>> recoverOn = List.of();

  /** Failures never to be recovered at points that say nothing themselves; wins over recover-on. */
  private List<Class<? extends Throwable>> neverOn = List.of();

  /** Threads for calls with a timeout; further calls wait for one within their time. */
  private int timedCalls = FailoversBuilder.DEFAULT_TIMED_CALLS;

  /** How long the end of the application waits for answers that are still to be written. */
  private Duration closeTimeout = Duration.ofSeconds(10);

  /** Settings of single points by their names, which come before what annotations say. */
  private final Map<String, PointProperties> points = new LinkedHashMap<>();

  @NestedConfigurationProperty private final AspectProperties aspect = new AspectProperties();

  @NestedConfigurationProperty private final ContextProperties context = new ContextProperties();

  @NestedConfigurationProperty private final StoreProperties store = new StoreProperties();

  @NestedConfigurationProperty
  private final SchedulerProperties scheduler = new SchedulerProperties();

  @NestedConfigurationProperty
  private final ObservableProperties observable = new ObservableProperties();

  /** The defaults. */
  public FailoverProperties() {}

  /** Whether there is failover at all. */
  public boolean isEnabled() {
    return enabled;
  }

  /** Whether there is failover at all. */
  public void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }

  /**
   * What makes calls: BASIC, RESILIENCE for circuit breakers of Resilience4j, or CUSTOM for an
   * ExecutionFactory bean.
   */
  public ExecutionType getType() {
    return type;
  }

  /**
   * What makes calls: BASIC, RESILIENCE for circuit breakers of Resilience4j, or CUSTOM for an
   * ExecutionFactory bean.
   */
  public void setType(ExecutionType type) {
    this.type = type;
  }

  /**
   * What callers get when nothing is found: RETHROW, NEVER_THROW, or CUSTOM for a
   * MethodExceptionPolicy bean.
   */
  public PolicyType getExceptionPolicy() {
    return exceptionPolicy;
  }

  /**
   * What callers get when nothing is found: RETHROW, NEVER_THROW, or CUSTOM for a
   * MethodExceptionPolicy bean.
   */
  public void setExceptionPolicy(PolicyType exceptionPolicy) {
    this.exceptionPolicy = exceptionPolicy;
  }

  /** Whether every exception is recovered, also mistakes of callers. */
  public boolean isRecoverAny() {
    return recoverAny;
  }

  /** Whether every exception is recovered, also mistakes of callers. */
  public void setRecoverAny(boolean recoverAny) {
    this.recoverAny = recoverAny;
  }

  /**
   * Failures to be recovered at points that say nothing themselves; none for all but mistakes of
   * callers.
   */
  public List<Class<? extends Throwable>> getRecoverOn() {
    return recoverOn;
  }

  /**
   * Failures to be recovered at points that say nothing themselves; none for all but mistakes of
   * callers.
   */
  public void setRecoverOn(List<Class<? extends Throwable>> recoverOn) {
    this.recoverOn = recoverOn;
  }

  /** Failures never to be recovered at points that say nothing themselves; wins over recover-on. */
  public List<Class<? extends Throwable>> getNeverOn() {
    return neverOn;
  }

  /** Failures never to be recovered at points that say nothing themselves; wins over recover-on. */
  public void setNeverOn(List<Class<? extends Throwable>> neverOn) {
    this.neverOn = neverOn;
  }

  /** Threads for calls with a timeout; further calls wait for one within their time. */
  public int getTimedCalls() {
    return timedCalls;
  }

  /** Threads for calls with a timeout; further calls wait for one within their time. */
  public void setTimedCalls(int timedCalls) {
    this.timedCalls = timedCalls;
  }

  /** How long the end of the application waits for answers that are still to be written. */
  public Duration getCloseTimeout() {
    return closeTimeout;
  }

  /** How long the end of the application waits for answers that are still to be written. */
  public void setCloseTimeout(Duration closeTimeout) {
    this.closeTimeout = closeTimeout;
  }

  /** Settings of single points by their names, which come before what annotations say. */
  public Map<String, PointProperties> getPoints() {
    return points;
  }

  /** The advice. */
  public AspectProperties getAspect() {
    return aspect;
  }

  /** What is carried to other threads. */
  public ContextProperties getContext() {
    return context;
  }

  /** The store. */
  public StoreProperties getStore() {
    return store;
  }

  /** Sweeps and reports. */
  public SchedulerProperties getScheduler() {
    return scheduler;
  }

  /** Events and meters. */
  public ObservableProperties getObservable() {
    return observable;
  }
}
