package holdfast.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Which columns a table has, from the metadata. Stateless. */
public final class TableColumns {
  private static final int SECONDS_WIDTH = "2020-01-01 00:00:00".length();

  private TableColumns() {}

  /**
   * The columns in lower case; none if there is no such table.
   *
   * @throws SQLException if the metadata cannot be read
   */
  public static Set<String> of(Connection connection, TableName table) throws SQLException {
    return typesOf(connection, table).keySet();
  }

  /**
   * The same, in turn with the nodes that create or alter tables: H2 hides a table for a moment
   * while one of them alters it.
   *
   * @throws SQLException if the metadata cannot be read
   */
  @SuppressWarnings("try") // the lock is only held
  public static Set<String> inTurn(DataSource dataSource, TableName table) throws SQLException {
    Dialect dialect = Dialect.of(dataSource);
    return Transactions.of(dataSource)
        .call(
            connection -> {
              try (SchemaLock lock = dialect.lockSchema(connection)) {
                return of(connection, table);
              }
            });
  }

  /** The types of the columns by their names in lower case. */
  static Map<String, ColumnType> typesOf(Connection connection, TableName table)
      throws SQLException {
    DatabaseMetaData metaData = connection.getMetaData();
    String name = inCatalogCase(metaData, table.name());
    String schema = table.schema();
    boolean schemaIsCatalog = schema != null && !metaData.supportsSchemasInTableDefinitions();
    String catalog = schemaIsCatalog ? schema : connection.getCatalog();
    String inSchema =
        schema == null
            ? connection.getSchema()
            : schemaIsCatalog ? null : inCatalogCase(metaData, schema);
    String escaped = name.replace("_", metaData.getSearchStringEscape() + "_");
    Map<String, ColumnType> columns = new HashMap<>();
    try (ResultSet found = metaData.getColumns(catalog, inSchema, escaped, "%")) {
      while (found.next()) {
        columns.put(
            found.getString("COLUMN_NAME").toLowerCase(Locale.ROOT),
            new ColumnType(
                found.getInt("DATA_TYPE"), found.getString("TYPE_NAME"), fraction(found)));
      }
    }
    return columns;
  }

  /** The drivers of MariaDB and MySQL tell the fraction of a second by the width of the column. */
  private static @Nullable Integer fraction(ResultSet found) throws SQLException {
    int digits = found.getInt("DECIMAL_DIGITS");
    if (!found.wasNull()) {
      return digits;
    }
    int width = found.getInt("COLUMN_SIZE");
    boolean isMoment = found.getInt("DATA_TYPE") == Types.TIMESTAMP && width >= SECONDS_WIDTH;
    return isMoment ? Integer.valueOf(Math.max(0, width - SECONDS_WIDTH - 1)) : null;
  }

  /** A name that is not quoted, as the catalog has it. */
  static String inCatalogCase(DatabaseMetaData metaData, String name) throws SQLException {
    if (metaData.storesUpperCaseIdentifiers()) {
      return name.toUpperCase(Locale.ROOT);
    }
    return metaData.storesLowerCaseIdentifiers() ? name.toLowerCase(Locale.ROOT) : name;
  }
}
