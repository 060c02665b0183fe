package holdfast.jdbc;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The name of a table, with or without that of its schema, which can stand in SQL as it is.
 *
 * <p>Each part has 1 to 63 letters, digits and underscores, all ASCII, and does not start with a
 * digit. Names are not quoted, so the database folds their case as it always does, and words that
 * SQL reserves are refused. Immutable.
 *
 * @param schema the schema, or null for the one the connection is in
 * @param name the table within its schema
 */
public record TableName(@Nullable String schema, String name) {

  /**
   * Checks both parts.
   *
   * @throws IllegalArgumentException if a part is not a valid name
   */
  public TableName {
    if (schema != null) {
      require("schema name", schema);
    }
    require("table name", name);
  }

  /**
   * The name that a text such as {@code outbox_event} or {@code app.outbox_event} spells.
   *
   * @throws IllegalArgumentException if the text is not a valid name
   */
  public static TableName of(String text) {
    int dot = Objects.requireNonNull(text, "table").indexOf('.');
    String schema = dot < 0 ? null : text.substring(0, dot);
    String name = text.substring(dot + 1);
    if (!Identifier.isValid(name) || (schema != null && !Identifier.isValid(schema))) {
      throw new IllegalArgumentException(
          "table name must be 'table' or 'schema.table', each 1 to 63 of A-Z, a-z, 0-9 and _, not"
              + " starting with a digit, but was '%s'".formatted(text));
    }
    return new TableName(schema, name);
  }

  private static void require(String what, String name) {
    Identifier.require(what, name);
    if (ReservedWords.contains(name)) {
      throw new IllegalArgumentException(
          "%s must not be a reserved word of SQL, since names are not quoted, but was '%s'; take another such as 'my_%s'"
              .formatted(what, name, name));
    }
  }

  /** The name as SQL has it, with its schema if it has one. */
  @Override
  public String toString() {
    return schema == null ? name : schema + "." + name;
  }
}
