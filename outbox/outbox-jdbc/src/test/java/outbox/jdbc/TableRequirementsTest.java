package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import outbox.EventEnvelope;
import outbox.OutboxException;

/** Tables that are not as they must be are refused when the outbox is built. */
class TableRequirementsTest {
  private static final AtomicInteger USERS = new AtomicInteger();
  private static final String ORDERS = "SELECT, INSERT, UPDATE ON outbox_event_order";
  private static final String COUNTS = "SELECT, INSERT, UPDATE ON outbox_event_count";

  private static String user() {
    return "outbox_" + ProcessHandle.current().pid() + "_" + USERS.incrementAndGet();
  }

  private static void drop(Table table) throws SQLException {
    for (String name : new String[] {"outbox_event", "outbox_event_order", "outbox_event_count"}) {
      table.execute("DROP TABLE IF EXISTS " + name);
    }
  }

  @EachDatabase
  void aMomentWithAZoneIsRefusedBeforeAnyEventIsStored(TestDatabase database) throws Exception {
    Table table = Table.fresh(database);
    drop(table);
    String moment = database.kind() == DatabaseKind.MARIADB ? "DATETIME(6)" : "TIMESTAMP(6)";
    String zoned =
        database.kind() == DatabaseKind.MARIADB ? "TIMESTAMP(6)" : "TIMESTAMP(6) WITH TIME ZONE";
    table.execute(
        """
        CREATE TABLE outbox_event (
          event_id VARCHAR(36) PRIMARY KEY, event_type VARCHAR(128) NOT NULL,
          aggregate_type VARCHAR(64), aggregate_id VARCHAR(128), tenant_id VARCHAR(64),
          payload JSON NOT NULL, headers JSON, status SMALLINT NOT NULL, attempts INT NOT NULL,
          available_at %s NOT NULL, created_at %s NOT NULL, done_at %s, last_error VARCHAR(4000))
        """
            .formatted(zoned, moment, moment));

    assertThatThrownBy(() -> JdbcOutbox.builder(database.dataSource()).build())
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining(
            "column available_at of table outbox_event must be " + moment + " but is ")
        .hasMessageContaining("change its type to the one in outbox/jdbc/schema/");
  }

  @EachDatabase
  void aTableWithSomeOfTheColumnsForSeveralNodesIsRefused(TestDatabase database) throws Exception {
    Table table = Table.fresh(database);
    table.execute("ALTER TABLE outbox_event DROP COLUMN unhandled_since");

    assertThatThrownBy(() -> JdbcOutbox.builder(database.dataSource()).build())
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining("lacks unhandled_since; run OutboxSchema.upgrade, or add them");
  }

  @EachDatabase
  void aMissingTableBesideTheEventsIsNamed(TestDatabase database) throws Exception {
    Table.fresh(database).execute("DROP TABLE outbox_event_order");

    assertThatThrownBy(() -> JdbcOutbox.builder(database.dataSource()).build())
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining("table outbox_event_order must exist but was not found");
  }

  @EachDatabase
  void aMissingRightIsNamedWithTheGrant(TestDatabase database) throws Exception {
    Table.fresh(database);
    String user = user();
    DataSource limited =
        database.dataSourceOf(user, "SELECT, INSERT, DELETE ON outbox_event", ORDERS, COUNTS);

    assertThatThrownBy(() -> JdbcOutbox.builder(limited).build())
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining(" lacks the right to UPDATE on table outbox_event; ")
        .hasMessageContaining("run GRANT UPDATE ON outbox_event TO ")
        .satisfies(e -> assertThat(e.getMessage()).containsIgnoringCase(" TO " + user));
  }

  @EachDatabase
  void aNodeThatOnlyPublishesNeedsNoRightToChangeEvents(TestDatabase database) throws Exception {
    Table table = Table.fresh(database);
    DataSource limited =
        database.dataSourceOf(user(), "SELECT, INSERT ON outbox_event", ORDERS, COUNTS);

    try (JdbcOutbox outbox = JdbcOutbox.builder(limited).publishOnly().build()) {
      String id = Publishing.publish(outbox, EventEnvelope.ofJson("A", "{}"));

      assertThat(table.row(id)).isNotEmpty();
    }
  }
}
