package holdfast.verification.firsthour.app;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * A shop with outbox, event bus, event log, tracer and failover, as their starters configure them.
 */
@SpringBootApplication
public class ShopApplication {

  /** For Spring. */
  public ShopApplication() {}
}
