package holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Checks that a table is as a library needs it, before it is used: that it exists, has all columns,
 * with types that hold what the library writes, and that the user has the rights needed.
 *
 * <pre>{@code
 * TableCheck.of(table, "createTables()", "outbox/jdbc/schema")
 *     .columns(ColumnKind.TEXT, "event_id", "event_type")
 *     .columns(ColumnKind.MOMENT, "available_at")
 *     .rights("status", Right.SELECT, Right.INSERT, Right.UPDATE)
 *     .require(connection, dialect);
 * }</pre>
 *
 * <p>Confined to the thread that builds it.
 */
public final class TableCheck {
  private final TableName table;
  private final String creation;
  private final String folder;
  private final Map<String, ColumnKind> columns = new LinkedHashMap<>();
  private final List<Right> rights = new ArrayList<>();
  private String changed = "";
  private String upgrades;

  private TableCheck(TableName table, String creation, String folder) {
    this.table = table;
    this.creation = creation;
    this.folder = folder;
    this.upgrades = folder;
  }

  /**
   * Starts a check of a table.
   *
   * @param table the table
   * @param creation the method that creates it, for messages, such as {@code createTables()}
   * @param folder where its schema files are, for messages
   */
  public static TableCheck of(TableName table, String creation, String folder) {
    return new TableCheck(table, creation, folder);
  }

  /** Names where the files are that add columns to tables of earlier versions, for messages. */
  public TableCheck upgrades(String upgradeFolder) {
    this.upgrades = upgradeFolder;
    return this;
  }

  /** Adds columns that the table must have; their names are in any case of letters. */
  public TableCheck columns(ColumnKind kind, String... names) {
    for (String name : names) {
      columns.put(name.toLowerCase(Locale.ROOT), kind);
    }
    return this;
  }

  /**
   * Adds rights that the user must have on the table.
   *
   * @param changed a column that the library changes
   * @param needed the rights
   */
  public TableCheck rights(String changed, Right... needed) {
    this.changed = changed;
    rights.addAll(Arrays.asList(needed));
    return this;
  }

  /**
   * Checks the table by its metadata, and the rights by statements that concern no row. Rolls back
   * what it has begun unless the connection commits by itself.
   *
   * @throws TableException if the table is not as it must be, naming everything that is wrong
   * @throws SQLException if the database fails
   */
  public void require(Connection connection, Dialect dialect) throws SQLException {
    Map<String, ColumnType> found = TableColumns.typesOf(connection, table);
    List<String> problems = new ArrayList<>();
    if (!found.isEmpty()) {
      problems.addAll(columnProblems(dialect, found));
    } else {
      requireThere(connection, dialect);
    }
    if (problems.isEmpty()) {
      problems.addAll(rightProblems(connection, dialect));
    }
    if (!problems.isEmpty()) {
      throw new TableException(String.join("; ", problems), false);
    }
  }

  /**
   * A table that the metadata does not show may be there: some databases hide it from a user
   * without rights, and it may be in another schema where statements find it.
   */
  private void requireThere(Connection connection, Dialect dialect) throws SQLException {
    String column = columns.keySet().iterator().next();
    if (Right.SELECT.ask(connection, dialect, table, column) == Right.Answer.NO_SUCH_TABLE) {
      throw new TableException(
          "table %s must exist but was not found; create it with %s, or with %s/%s.sql"
              .formatted(table, creation, folder, dialect.name()),
          true);
    }
  }

  private List<String> columnProblems(Dialect dialect, Map<String, ColumnType> found) {
    List<String> problems = new ArrayList<>();
    List<String> missing =
        columns.keySet().stream().filter(column -> !found.containsKey(column)).toList();
    if (!missing.isEmpty()) {
      problems.add(
          "table %s lacks the columns %s; add them as in %s/%s.sql, or take another table"
              .formatted(table, String.join(", ", missing), upgrades, dialect.name()));
    }
    columns.forEach(
        (column, kind) -> {
          ColumnType type = found.get(column);
          if (type != null && !kind.fits(dialect, type)) {
            problems.add(
                "column %s of table %s must be %s but is %s; change its type to the one in %s/%s.sql"
                    .formatted(
                        column, table, kind.wanted(dialect), type.shown(), folder, dialect.name()));
          }
        });
    return problems;
  }

  private List<String> rightProblems(Connection connection, Dialect dialect) throws SQLException {
    List<Right> lacking = new ArrayList<>();
    for (Right right : rights) {
      if (right.ask(connection, dialect, table, changed) == Right.Answer.DENIED) {
        lacking.add(right);
        if (right == Right.SELECT) {
          break; // the other statements read too, so they would tell nothing
        }
      }
    }
    return lacking.isEmpty() ? List.of() : List.of(lacking(connection, lacking));
  }

  private String lacking(Connection connection, List<Right> lacking) throws SQLException {
    String user = connection.getMetaData().getUserName();
    String names = String.join(", ", lacking.stream().map(Right::name).toList());
    return "user %s lacks the right to %s on table %s; run GRANT %s ON %s TO %s"
        .formatted(user, names, table, names, table, user);
  }
}
