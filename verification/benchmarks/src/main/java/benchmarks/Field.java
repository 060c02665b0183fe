package benchmarks;

import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A contender that can be started on a fresh database, again and again. Immutable.
 *
 * @param name the contender's name
 * @param starting starts it
 */
record Field(String name, Starting starting) {

  /** Starts a contender. */
  @FunctionalInterface
  interface Starting {
    Contender start(DataSource dataSource, Deliveries deliveries) throws SQLException;
  }

  Contender start(DataSource dataSource, Deliveries deliveries) throws SQLException {
    return starting.start(dataSource, deliveries);
  }
}
