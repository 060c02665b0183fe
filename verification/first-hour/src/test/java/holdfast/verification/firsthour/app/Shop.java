package holdfast.verification.firsthour.app;

import com.zaxxer.hikari.HikariDataSource;
import holdfast.spring.test.ActuatorApp;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import holdfast.verification.firsthour.app.OrderController.Receipt;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.client.RestClient;

/** The shop as it runs, with its web server, and what a customer and an operator do with it. */
final class Shop extends ActuatorApp {
  private final RestClient customer =
      RestClient.create(
          "http://localhost:" + context().getEnvironment().getProperty("local.server.port"));

  private Shop(List<String> properties) {
    super(ShopApplication.class, "health", properties);
  }

  /**
   * Starts it. On H2 no address is given: Spring Boot then generates that of a database in memory.
   *
   * @param directory an empty directory of its own
   */
  static Shop start(TestDatabase database, URI eventLogServer, Path directory) throws IOException {
    Path migrations = Migrations.write(directory.resolve("migrations"), database.kind());
    String[] settings = {
      "spring.application.name=shop",
      "spring.main.banner-mode=off",
      "logging.level.root=warn",
      "spring.flyway.locations=filesystem:" + migrations,
      "eventlog.base-url=" + eventLogServer,
      "eventlog.async.spillover-path=" + directory.resolve("spillover"),
      "tracer.directory=" + directory.resolve("traces"),
      "failover.store.type=jdbc",
      // Stored answers are read from the table, not from memory.
      "failover.store.jdbc.near=false",
      // Each call reads the table here, and a busy machine takes its time.
      "failover.store.read-timeout=30s",
    };
    return new Shop(
        database.kind() == DatabaseKind.H2 ? List.of(settings) : above(database, settings));
  }

  /** Places an order; throws what tells an answer other than 2xx. */
  Receipt order(String item) {
    return Objects.requireNonNull(
        customer.post().uri("/orders?item={item}", item).retrieve().body(Receipt.class));
  }

  /** Replaces all connections of the pool, those in use when they come back. */
  void evictConnections() {
    bean(HikariDataSource.class).getHikariPoolMXBean().softEvictConnections();
  }

  /** Counts rows, such as those of {@code outbox_event WHERE status = 1}. */
  long rows(String table) {
    return bean(JdbcClient.class).sql("SELECT COUNT(*) FROM " + table).query(Long.class).single();
  }

  MeterRegistry meters() {
    return bean(MeterRegistry.class);
  }
}
