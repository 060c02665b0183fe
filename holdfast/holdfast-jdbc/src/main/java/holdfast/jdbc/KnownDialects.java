package holdfast.jdbc;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All dialects, by the product name that the databases report. Safe for use by many threads. */
final class KnownDialects {

  private static final String MARIADB = "MariaDB";
  private static final String MYSQL = "MySQL";

  // Never changed after this initialiser, so readers need no lock.
  private static final SortedMap<String, Function<ServerVersion, Dialect>> BY_PRODUCT =
      new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  static {
    BY_PRODUCT.put("H2", H2Dialect::new);
    BY_PRODUCT.put(MARIADB, MariaDbDialect::new);
    BY_PRODUCT.put(MYSQL, MySqlDialect::new);
    BY_PRODUCT.put("PostgreSQL", PostgreSqlDialect::new);
  }

  private KnownDialects() {}

  static Dialect detect(DatabaseMetaData metaData) throws SQLException {
    String reported = metaData.getDatabaseProductName();
    @Nullable String version = metaData.getDatabaseProductVersion();
    String product = isMariaDbInDisguise(reported, version) ? MARIADB : reported;
    Function<ServerVersion, Dialect> dialect = BY_PRODUCT.get(product);
    if (dialect == null) {
      throw new IllegalArgumentException(
          "no dialect for database product '%s'; supported: %s; use one of these"
              .formatted(reported, String.join(", ", BY_PRODUCT.keySet())));
    }
    return dialect.apply(ServerVersion.parse(version == null ? "" : version));
  }

  static Dialect named(String name) {
    Function<ServerVersion, Dialect> dialect = BY_PRODUCT.get(name);
    if (dialect == null) {
      throw new IllegalArgumentException(
          "no dialect named '%s'; supported: %s".formatted(name, String.join(", ", names())));
    }
    return dialect.apply(ServerVersion.NEWEST);
  }

  static List<String> names() {
    return BY_PRODUCT.keySet().stream().map(product -> product.toLowerCase(Locale.ROOT)).toList();
  }

  /** MySQL's driver calls a MariaDB server MySQL; only the version text tells the truth. */
  private static boolean isMariaDbInDisguise(String product, @Nullable String version) {
    return product.equalsIgnoreCase(MYSQL)
        && version != null
        && version.toLowerCase(Locale.ROOT).contains("mariadb");
  }
}
