package benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import holdfast.testkit.db.TestDatabase;

/** The pool that every contender gets: the same kind, the same size. Stateless. */
final class Pools {
  private Pools() {}

  static HikariDataSource of(TestDatabase database, int size) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.dataSource());
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(size);
    return new HikariDataSource(config);
  }
}
