package failover.spring;

import failover.observe.ObservablePublisher;
import failover.observe.ObservablePublisher.Metrics;
import holdfast.log.LogText;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Writes one line for each event, with its fields in the log context, for logs that machines read.
 * With Boot, {@code failover.observable.log-events=true} adds it; elsewhere pass it to the builder.
 * Safe for use by many threads.
 */
public final class MdcLogPublisher implements ObservablePublisher {
  private static final Logger LOGGER = LoggerFactory.getLogger("failover.events");

  /** Writes to the logger {@code failover.events}. */
  public MdcLogPublisher() {}

  @Override
  public void publish(Metrics metrics) {
    @Nullable Map<String, String> before = MDC.getCopyOfContextMap();
    try {
      metrics.fields().forEach((key, value) -> MDC.put(key, LogText.escape(value)));
      LOGGER.info("failover event name={}", LogText.escape(metrics.name()));
    } finally {
      if (before == null) {
        MDC.clear();
      } else {
        MDC.setContextMap(before);
      }
    }
  }
}
