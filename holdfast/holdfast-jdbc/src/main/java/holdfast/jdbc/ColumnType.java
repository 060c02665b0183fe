package holdfast.jdbc;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The type of a column, from the metadata.
 *
 * @param code one of {@link java.sql.Types}
 * @param name the database's name of it
 * @param fraction how many digits a fraction has, of a second too; null where the driver does not
 *     say
 */
record ColumnType(int code, String name, @Nullable Integer fraction) {

  /** Returns the type as a message shows it. */
  String shown() {
    boolean isMoment = name.toUpperCase(Locale.ROOT).matches("(DATETIME|TIMESTAMP)");
    return isMoment && fraction != null ? name + "(" + fraction + ")" : name;
  }
}
