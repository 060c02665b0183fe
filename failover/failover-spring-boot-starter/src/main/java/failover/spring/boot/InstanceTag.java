package failover.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.function.Function;
import org.springframework.core.env.Environment;

/** The tag that tells this instance from others, where nothing else does. Immutable. */
final class InstanceTag implements Function<MeterRegistry, Tags> {
  private final InstanceMode mode;
  private final String id;

  InstanceTag(InstanceProperties properties, Environment environment) {
    this.mode = properties.getMode();
    this.id = properties.getId().isBlank() ? hereIs(environment) : properties.getId();
  }

  private static String hereIs(Environment environment) {
    return environment.getProperty("spring.application.name", "application") + ":" + host();
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost"; // a machine without a name
    }
  }

  @Override
  public Tags apply(MeterRegistry registry) {
    return switch (mode) {
      case NEVER -> Tags.empty();
      case ALWAYS -> Tags.of("instance", id);
      case AUTO -> isPrometheus(registry) ? Tags.empty() : Tags.of("instance", id);
    };
  }

  /** Prometheus has a tag of that name for each machine it reads from. */
  private static boolean isPrometheus(MeterRegistry registry) {
    return registry.getClass().getSimpleName().startsWith("Prometheus")
        || (registry instanceof CompositeMeterRegistry composite
            && composite.getRegistries().stream().anyMatch(InstanceTag::isPrometheus));
  }
}
