package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The shipped table has the specification's columns, as wide, as required, with its defaults. */
class SpecifiedTableTest {

  /** Width where it matters, and whether a value is required. */
  private record Column(int size, boolean required) {}

  private static Map<String, Column> specified() {
    Map<String, Column> columns = new LinkedHashMap<>();
    columns.put("event_id", new Column(36, true));
    columns.put("event_type", new Column(128, true));
    columns.put("aggregate_type", new Column(64, false));
    columns.put("aggregate_id", new Column(128, false));
    columns.put("tenant_id", new Column(64, false));
    columns.put("payload", new Column(0, true));
    columns.put("headers", new Column(0, false));
    columns.put("status", new Column(0, true));
    columns.put("attempts", new Column(0, true));
    columns.put("available_at", new Column(0, true));
    columns.put("created_at", new Column(0, true));
    columns.put("done_at", new Column(0, false));
    columns.put("last_error", new Column(0, false));
    columns.put("claimed_by", new Column(128, false));
    columns.put("claim_token", new Column(0, true));
    columns.put("lapses", new Column(0, true));
    columns.put("suspect_group", new Column(0, true));
    columns.put("payload_encoding", new Column(16, false));
    columns.put("unhandled_since", new Column(0, false));
    columns.put("failing_since", new Column(0, false));
    columns.put("order_number", new Column(0, false));
    columns.put("parked", new Column(0, true));
    return columns;
  }

  private static Map<String, Column> found(TestDatabase database) throws SQLException {
    Map<String, Column> columns = new LinkedHashMap<>();
    try (Connection conn = database.connect()) {
      DatabaseMetaData metaData = conn.getMetaData();
      String name = database.kind() == DatabaseKind.H2 ? "OUTBOX_EVENT" : "outbox_event";
      try (ResultSet row = metaData.getColumns(conn.getCatalog(), conn.getSchema(), name, "%")) {
        while (row.next()) {
          String column = row.getString("COLUMN_NAME").toLowerCase(Locale.ROOT);
          int size = specified().getOrDefault(column, new Column(0, false)).size();
          columns.put(
              column,
              new Column(
                  size == 0 ? 0 : row.getInt("COLUMN_SIZE"),
                  row.getInt("NULLABLE") == DatabaseMetaData.columnNoNulls));
        }
      }
    }
    return columns;
  }

  @EachDatabase
  void itHasTheColumnsOfTheSpecificationAndThoseForManyNodes(TestDatabase database)
      throws Exception {
    Table.fresh(database);
    Map<String, Column> found = found(database);
    found.remove("open_number");
    found.remove("pending"); // computed, for the index, where the database has no partial ones
    assertThat(found).isEqualTo(specified());
  }

  @EachDatabase
  void whatIsNotGivenStartsAtZero(TestDatabase database) throws Exception {
    Table table = Table.fresh(database);
    table.execute(
        "INSERT INTO outbox_event (event_id, event_type, payload, status, available_at, created_at)"
            + " VALUES ('by hand', 'T', '1', 0, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)");
    for (String column :
        new String[] {"attempts", "claim_token", "lapses", "suspect_group", "parked"}) {
      assertThat(table.number("by hand", column).longValue()).as(column).isZero();
    }
    assertThat(table.row("by hand").get("claimed_by")).isNull();
  }
}
