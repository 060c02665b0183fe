package failover.jdbc;

import failover.store.FailoverStoreException;
import holdfast.jdbc.Dialect;
import holdfast.jdbc.SchemaScript;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The tables of stored answers, from the schema files this module ships. Stateless; many nodes may
 * call it at once.
 *
 * <p>The files are in {@code failover/jdbc/schema}, each named for its database, for those who run
 * them with a tool of their own.
 */
public final class FailoverSchema {
  private static final String FOLDER = "failover/jdbc/schema";

  private FailoverSchema() {}

  /** Creates what is missing of the tables under their usual names. */
  public static void createIfMissing(DataSource dataSource) {
    createIfMissing(dataSource, "");
  }

  /**
   * Creates what is missing of the tables.
   *
   * @param dataSource where
   * @param prefix what their names begin with, such as {@code SHOP_} or {@code schema.SHOP_}
   * @throws IllegalArgumentException if the prefix is not valid or the database not supported
   * @throws FailoverStoreException if the database refuses
   */
  public static void createIfMissing(DataSource dataSource, String prefix) {
    Tables tables = Tables.of(prefix);
    try {
      SchemaScript.load(FailoverSchema.class, FOLDER, Dialect.of(dataSource))
          .with("answers", tables.answers())
          .with("sweep", tables.sweep())
          .createIfMissing(dataSource);
    } catch (SQLException e) {
      throw new FailoverStoreException(
          "failover could not create its tables: " + e.getMessage(), e);
    }
  }
}
