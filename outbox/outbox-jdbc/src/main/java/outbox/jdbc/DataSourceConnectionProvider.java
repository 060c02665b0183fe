package outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import outbox.spi.ConnectionProvider;

/** Connections from a data source. Safe for use by many threads. */
public final class DataSourceConnectionProvider implements ConnectionProvider {
  private final DataSource dataSource;

  /**
   * Connections from that data source.
   *
   * @param dataSource a pool, usually
   */
  public DataSourceConnectionProvider(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return dataSource.getConnection();
  }
}
