package holdfast.spring.boot;

import java.util.Locale;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/** Whether a room creates its tables, and what to say where they are missing. Stateless. */
public final class SchemaCreation {

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
   * The ways to tables that are missing or out of reach.
   *
   * @param tables the tables, to be read before "must": {@code "the table outbox_event"}
   * @param key the first word of the room's properties
   * @param mode what was set
   * @param scripts where the room's files with statements are, and in which artifact
   */
  public static String wayToTables(
      String tables, String key, DatabaseInitializationMode mode, String scripts) {
    return "%s must be there and reachable: set %s.initialize-schema=always (it is %s, and embedded means databases in memory only), or run %s with your migrations, or set %s.enabled=false"
        .formatted(tables, key, mode.name().toLowerCase(Locale.ROOT), scripts, key);
  }
}
