package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.RetryAfterException;
import outbox.model.EventStatus;

/** On a table with the specification's columns and no others, one node works and says so. */
@Timeout(60)
class PlainTableTest {
  private static final String TABLE =
      """
      CREATE TABLE outbox_event (
        event_id VARCHAR(36) PRIMARY KEY,
        event_type VARCHAR(128) NOT NULL,
        aggregate_type VARCHAR(64),
        aggregate_id VARCHAR(128),
        tenant_id VARCHAR(64),
        payload JSON NOT NULL,
        headers JSON,
        status TINYINT NOT NULL,
        attempts INT NOT NULL DEFAULT 0,
        available_at DATETIME(6) NOT NULL,
        created_at DATETIME(6) NOT NULL,
        done_at DATETIME(6),
        last_error TEXT
      )
      """;

  /** What is warned of. */
  private static final class Warnings extends Handler implements AutoCloseable {
    private final Queue<String> texts = new ConcurrentLinkedQueue<>();
    private final Logger logger = Logger.getLogger("outbox");

    Warnings() {
      logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord record) {
      if (record.getLevel() == Level.WARNING) {
        texts.add(record.getMessage());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      logger.removeHandler(this);
    }
  }

  static void usePlainTable(Nodes nodes, DatabaseKind kind) throws Exception {
    nodes.table.execute("DROP TABLE outbox_event");
    nodes.table.execute(
        kind == DatabaseKind.MARIADB
            ? TABLE
            : TABLE
                .replace("DATETIME", "TIMESTAMP")
                .replace("TINYINT", "SMALLINT")
                .replace("TEXT", "VARCHAR(4000)"));
  }

  @EachDatabase
  void aTableOfSomebodyElseIsRefused(TestDatabase database) throws Exception {
    try (Connection conn = database.connect();
        Statement statement = conn.createStatement()) {
      statement.execute("CREATE TABLE parcels (id BIGINT PRIMARY KEY, payload VARCHAR(10))");
    }
    JdbcOutboxBuilder builder = JdbcOutbox.builder(database.dataSource()).table("parcels");

    assertThatThrownBy(builder::build)
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining("table parcels must have the columns of an outbox but lacks event_id")
        .hasMessageContaining("take another name");
    assertThatThrownBy(() -> OutboxSchema.createIfMissing(database.dataSource(), "parcels"))
        .hasMessageContaining("must have the columns of an outbox");
    assertThatThrownBy(() -> OutboxSchema.upgrade(database.dataSource(), "parcels"))
        .hasMessageContaining("must have the columns of an outbox");
  }

  @EachDatabase
  void oneNodeDeliversRetriesAndGivesUpAndWarnsOnce(TestDatabase database) throws Exception {
    AtomicInteger calls = new AtomicInteger();
    try (Warnings warnings = new Warnings();
        Nodes nodes = Nodes.on(database)) {
      usePlainTable(nodes, database.kind());
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.maxAttempts(2)
                      .listener("T", nodes.recording())
                      .listener(
                          "Bad",
                          event -> {
                            calls.incrementAndGet();
                            throw new IllegalStateException("bad");
                          }));
      String first = Nodes.publish(node, Nodes.event("T"));
      String second = Nodes.publish(node, Nodes.event("T"));
      String bad = Nodes.publish(node, Nodes.event("Bad"));
      for (String id : List.of(first, second)) {
        Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
      }
      Eventually.await("dead", () -> nodes.table.status(bad) == EventStatus.DEAD);
      assertThat(nodes.delivered).contains(first, second);
      assertThat(calls.get()).isGreaterThanOrEqualTo(2);
      assertThat(warnings.texts.stream().filter(text -> text.contains("lacks the columns")))
          .hasSize(1);
    }
  }

  @EachDatabase
  void withoutTimesAttemptsLimitRetries(TestDatabase database) throws Exception {
    AtomicInteger calls = new AtomicInteger();
    try (Nodes nodes = Nodes.on(database)) {
      usePlainTable(nodes, database.kind());
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.pollSkipRecent(Duration.ofMillis(1))
                      .listener(
                          "T",
                          event -> {
                            calls.incrementAndGet();
                            throw new RetryAfterException(Duration.ZERO);
                          }));
      String id = Nodes.publish(node, Nodes.event("T"));
      Eventually.await("dead", () -> nodes.table.status(id) == EventStatus.DEAD);
      assertThat(calls).hasValue(10);
    }
  }

  @EachDatabase
  void whatWasLeftInTheTableIsFoundByThePoller(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      usePlainTable(nodes, database.kind());
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
      EventEnvelope event = Nodes.event("T");
      String id = Nodes.publish(publisher, event);
      assertThat(nodes.table.status(id)).isEqualTo(EventStatus.NEW);
      Queue<Duration> ages = new ConcurrentLinkedQueue<>();
      nodes.started(
          b -> b.listener("T", e -> ages.add(Duration.between(event.occurredAt(), Instant.now()))));
      Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
      assertThat(ages)
          .as("without leases, new events are left to whoever published them")
          .allMatch(age -> age.compareTo(Duration.ofSeconds(1)) >= 0);
    }
  }
}
