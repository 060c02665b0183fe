package failover.spring.boot;

import org.springframework.boot.context.properties.NestedConfigurationProperty;

/** The settings {@code failover.observable.*}. Not safe for use by many threads. */
public class ObservableProperties {
  @NestedConfigurationProperty private final EventsProperties async = new EventsProperties();

  @NestedConfigurationProperty private final InstanceProperties instance = new InstanceProperties();

  @NestedConfigurationProperty
  private final CardinalityProperties cardinality = new CardinalityProperties();

  /** The defaults. */
  public ObservableProperties() {}

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
