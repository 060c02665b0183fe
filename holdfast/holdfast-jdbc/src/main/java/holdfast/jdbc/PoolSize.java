package holdfast.jdbc;

import java.util.List;
import java.util.OptionalInt;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * How many connections a pool has at most. Pools are not known at compile time: applications bring
 * theirs. Stateless.
 */
final class PoolSize {
  /** HikariCP; Commons DBCP; Tomcat and Druid; c3p0 and Oracle UCP. */
  private static final List<String> LIMITS =
      List.of("getMaximumPoolSize", "getMaxTotal", "getMaxActive", "getMaxPoolSize");

  /** Spring's wrappers do not unwrap to a data source. */
  private static final String TARGET = "getTargetDataSource";

  private static final int MOST_WRAPPERS = 8;

  private PoolSize() {}

  /** Returns the limit of a pool, also of one that is wrapped; empty if it does not tell. */
  static OptionalInt of(DataSource dataSource) {
    Object inner = dataSource;
    for (int i = 0; i < MOST_WRAPPERS && inner != null; i++) {
      for (String limit : LIMITS) {
        if (answer(inner, limit) instanceof Integer most && most > 0) {
          return OptionalInt.of(most);
        }
      }
      inner = answer(inner, TARGET);
    }
    return OptionalInt.empty();
  }

  private static @Nullable Object answer(Object asked, String getter) {
    try {
      return asked.getClass().getMethod(getter).invoke(asked);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null; // it has no such limit, or does not tell
    }
  }
}
