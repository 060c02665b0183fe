package holdfast.spring.boot;

import holdfast.jdbc.TableException;
import holdfast.jdbc.Unreachable;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/** Whether a library creates its tables, and what to say where they are missing. Stateless. */
public final class SchemaCreation {

  /** Of H2; of MariaDB and MySQL: the server, the transaction, the storage engine is read-only. */
  private static final Set<Integer> READ_ONLY = Set.of(90097, 1290, 1792, 1836);

  private SchemaCreation() {}

  /**
   * Whether the tables are to be created.
   *
   * @param mode what was set
   * @param dataSource where they belong; asked only if it matters
   */
  public static boolean isWanted(DatabaseInitializationMode mode, DataSource dataSource) {
    return switch (mode) {
      case ALWAYS -> true;
      case NEVER -> false;
      case EMBEDDED -> EmbeddedDatabaseConnection.isEmbedded(dataSource);
    };
  }

  /**
   * What to do about tables that could not be used: see to the connection if the database could not
   * be reached or accepts no changes, correct the table if it is not as it must be, or create it.
   *
   * @param failure what was thrown
   * @param creation how to create the tables
   */
  public static String adviceFor(Throwable failure, String creation) {
    if (Unreachable.isCauseOf(failure)) {
      return "the database could not be reached: check spring.datasource.url, the user and the password, and that the server is up and accepts connections";
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException refused && isReadOnly(refused)) {
        return "the database accepts no changes through this connection: connect to the primary server, and remove what makes the connection read-only from spring.datasource";
      }
      if (cause instanceof TableException table && !table.isMissing()) {
        return "correct the table or the rights of the user as described, with your migrations or by hand";
      }
    }
    return creation;
  }

  private static boolean isReadOnly(SQLException failure) {
    return "25006".equals(failure.getSQLState()) || READ_ONLY.contains(failure.getErrorCode());
  }

  /**
   * The ways to tables that are missing or out of reach.
   *
   * @param tables the tables, to be read before "must": {@code "the table outbox_event"}
   * @param key the first word of the library's properties
   * @param mode what was set
   * @param scripts where the library's files with statements are, and in which artifact
   */
  public static String wayToTables(
      String tables, String key, DatabaseInitializationMode mode, String scripts) {
    if (mode == DatabaseInitializationMode.ALWAYS) {
      return "%s must be there and reachable, or this user must be able to create what is missing: see to that, or run %s with your migrations and set %s.initialize-schema=never, or set %s.enabled=false"
          .formatted(tables, scripts, key, key);
    }
    return "%s must be there and reachable: set %s.initialize-schema=always (it is %s, and embedded means databases in memory only), or run %s with your migrations, or set %s.enabled=false"
        .formatted(tables, key, mode.name().toLowerCase(Locale.ROOT), scripts, key);
  }
}
