package failover.spring.boot;

import failover.FailoverScanner;
import failover.FailoverSpec;
import failover.store.FailoverStore;
import holdfast.log.LibraryLogger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/** Says at the start how failover is set, and what a reader of the settings may not think of. */
final class FailoverSummary implements ApplicationListener<ApplicationReadyEvent> {
  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  private final FailoverScanner scanner;
  private final FailoverStore store;
  private final StoreEncryption encryption;
  private final StoreTenants tenants;
  private final FailoverProperties properties;

  FailoverSummary(
      FailoverScanner scanner,
      FailoverStore store,
      StoreEncryption encryption,
      StoreTenants tenants,
      FailoverProperties properties) {
    this.scanner = scanner;
    this.store = store;
    this.encryption = encryption;
    this.tenants = tenants;
    this.properties = properties;
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    List<FailoverSpec<?>> points = scanner.findAllFailover();
    LOGGER.log(
        Level.INFO,
        "failover is ready points=%d execution=%s exceptionPolicy=%s store=%s async=%s encrypted=%s tenants=%s"
            .formatted(
                points.size(),
                properties.getType(),
                properties.getExceptionPolicy(),
                store.getClass().getSimpleName(),
                properties.getStore().getType() == StoreType.JDBC
                    && properties.getStore().isAsync(),
                encryption.isOn(),
                tenants));
    points.forEach(point -> LOGGER.log(Level.INFO, line(point)));
    warn(points);
  }

  private static String line(FailoverSpec<?> point) {
    return "failover point name=%s domain=%s method=%s expiry=%s pause=%s soft=%s hard=%s"
        .formatted(
            point.name(),
            point.effectiveName(),
            point.method(),
            point.expiry(),
            point.pause(),
            point.softTimeout().map(Duration::toString).orElse("none"),
            point.hardTimeout().map(Duration::toString).orElse("none"));
  }

  private void warn(List<FailoverSpec<?>> points) {
    StoreType type = properties.getStore().getType();
    if (!points.isEmpty() && (type == StoreType.INMEMORY || type == StoreType.CAFFEINE)) {
      LOGGER.log(
          Level.WARNING,
          "failover keeps answers in memory only, a restart during an outage has none to give;"
              + " failover.store.type=jdbc is recommended for production");
    }
    if (properties.getExceptionPolicy() == PolicyType.NEVER_THROW) {
      LOGGER.log(
          Level.WARNING,
          "failover never throws, callers get null where nothing is stored; watch"
              + " failover.recovery.outcome.total{outcome=not_recovered} and"
              + " failover.user.impact.total{impact=blocked}");
    }
  }
}
