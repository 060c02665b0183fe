package outbox.jdbc;

import holdfast.jdbc.TableName;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Which columns a table has, from the metadata. Stateless. */
final class TableColumns {
  /** What the full table has beyond the plain one. */
  private static final Set<String> ADDED =
      Set.of(
          "claimed_by",
          "claim_token",
          "lapses",
          "payload_encoding",
          "unhandled_since",
          "order_number",
          "parked");

  private TableColumns() {}

  /** The columns in lower case; none if there is no such table. */
  static Set<String> of(Connection conn, TableName table) throws SQLException {
    DatabaseMetaData metaData = conn.getMetaData();
    String name = inCatalogCase(metaData, table.name());
    String schema = table.schema();
    boolean schemaIsCatalog = schema != null && !metaData.supportsSchemasInTableDefinitions();
    String catalog = schemaIsCatalog ? schema : conn.getCatalog();
    String inSchema =
        schema == null
            ? conn.getSchema()
            : schemaIsCatalog ? null : inCatalogCase(metaData, schema);
    String escaped = name.replace("_", metaData.getSearchStringEscape() + "_");
    Set<String> columns = new HashSet<>();
    try (ResultSet found = metaData.getColumns(catalog, inSchema, escaped, "%")) {
      while (found.next()) {
        columns.add(found.getString("COLUMN_NAME").toLowerCase(Locale.ROOT));
      }
    }
    return columns;
  }

  /** Whether these are the columns of the full table. */
  static boolean areComplete(Set<String> columns) {
    return columns.containsAll(ADDED);
  }

  private static String inCatalogCase(DatabaseMetaData metaData, String name) throws SQLException {
    if (metaData.storesUpperCaseIdentifiers()) {
      return name.toUpperCase(Locale.ROOT);
    }
    return metaData.storesLowerCaseIdentifiers() ? name.toLowerCase(Locale.ROOT) : name;
  }
}
