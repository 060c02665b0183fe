package failover.spring.boot;

import org.springframework.boot.context.properties.NestedConfigurationProperty;

/** The settings {@code failover.observable.*}. Not safe for use by many threads. */
public class ObservableProperties {
  /** Whether timers have a maximum, buckets and percentiles: 280 more series for each point. */
  private boolean histograms = false;

  /** Whether each event is a line of the log, with its fields in the log context. */
  private boolean logEvents = false;

  @NestedConfigurationProperty private final EventsProperties async = new EventsProperties();

  @NestedConfigurationProperty private final InstanceProperties instance = new InstanceProperties();

  @NestedConfigurationProperty
  private final CardinalityProperties cardinality = new CardinalityProperties();

  /** The defaults. */
  public ObservableProperties() {}

  /** Whether timers have a maximum, buckets and percentiles: 280 more series for each point. */
  public boolean isHistograms() {
    return histograms;
  }

  /** Whether timers have a maximum, buckets and percentiles: 280 more series for each point. */
  public void setHistograms(boolean histograms) {
    this.histograms = histograms;
  }

  /** Whether each event is a line of the log, with its fields in the log context. */
  public boolean isLogEvents() {
    return logEvents;
  }

  /** Whether each event is a line of the log, with its fields in the log context. */
  public void setLogEvents(boolean logEvents) {
    this.logEvents = logEvents;
  }

  /** How events are published. */
  public EventsProperties getAsync() {
    return async;
  }

  /** The tag of this instance. */
  public InstanceProperties getInstance() {
    return instance;
  }

  /** The bound of meters. */
  public CardinalityProperties getCardinality() {
    return cardinality;
  }
}
