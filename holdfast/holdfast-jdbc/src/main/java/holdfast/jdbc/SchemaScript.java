package holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * The statements that create a library's tables on one database, read from a file on the class
 * path.
 *
 * <p>The file holds statements that end with semicolons and do nothing when run again, such as
 * {@code CREATE TABLE IF NOT EXISTS}. Literals, quoted names and comments may hold semicolons;
 * bodies of procedures, unless dollar-quoted, may not. It is plain SQL, which any tool for schema
 * migrations runs as it is; the tables have their usual names in it and {@link #with} gives them
 * others.
 *
 * <p>Immutable, safe for use by many threads.
 */
public final class SchemaScript {

  private final Dialect dialect;
  private final SchemaFile file;
  private final Map<String, TableName> names;

  private SchemaScript(Dialect dialect, SchemaFile file, Map<String, TableName> names) {
    this.dialect = dialect;
    this.file = file;
    this.names = names;
  }

  /**
   * The script for a database: the file in the folder that is called like the dialect.
   *
   * @param anchor a class of the module that has the file; a named module must open the folder, as
   *     a package, to {@code io.holdfast.jdbc}
   * @param folder the folder from the root of the class path, such as {@code outbox/jdbc/schema}
   * @throws IllegalArgumentException if there is no file for this database
   */
  public static SchemaScript load(Class<?> anchor, String folder, Dialect dialect) {
    return new SchemaScript(dialect, SchemaFile.load(anchor, folder, dialect.name()), Map.of());
  }

  /**
   * Returns this script with another name for a table. Indexes whose names begin with the table's
   * usual name are named after the new one.
   *
   * @param usual the name in the file, spelled as it is there
   * @param table the name to use instead
   * @throws IllegalArgumentException if the file has no such table
   */
  public SchemaScript with(String usual, TableName table) {
    TableName other = new TableName(null, usual + "_");
    if (renamed(Map.of(usual, other)).equals(file.text())) {
      throw new IllegalArgumentException(
          "table must be one that %s creates but was '%s'".formatted(file.path(), usual));
    }
    Map<String, TableName> more = new TreeMap<>(names);
    more.put(usual, table);
    return new SchemaScript(dialect, file, more);
  }

  /** Returns the whole script as SQL text, with comments, for a tool or a person to run. */
  public String text() {
    return renamed(names);
  }

  private String renamed(Map<String, TableName> to) {
    return new TableRenaming(dialect.lexis(), to).rename(file.text());
  }

  /**
   * Runs all statements, in a transaction where the database can create tables in one. Many nodes
   * may do so at the same time; they take turns.
   *
   * @throws SQLException if a statement fails; the message names the file and the statement
   */
  public void createIfMissing(DataSource dataSource) throws SQLException {
    run(Transactions.of(dataSource), statements(), dialect.schemaAttempts());
  }

  private void run(Transactions transactions, List<String> statements, int attemptsLeft)
      throws SQLException {
    AtomicBoolean connected = new AtomicBoolean();
    try {
      transactions.run(
          connection -> {
            connected.set(true);
            runInTurn(connection, statements);
          });
    } catch (SQLException failure) {
      // Another node may have been in the way of a statement, but not of the connection.
      if (attemptsLeft <= 1 || !connected.get()) {
        throw failure;
      }
      try {
        run(transactions, statements, attemptsLeft - 1);
      } catch (SQLException last) {
        last.addSuppressed(failure);
        throw last;
      }
    }
  }

  List<String> statements() {
    return Statements.split(text(), dialect.lexis());
  }

  @SuppressWarnings("try") // the lock is only held
  private void runInTurn(Connection connection, List<String> statements) throws SQLException {
    try (SchemaLock lock = dialect.lockSchema(connection);
        Statement statement = connection.createStatement()) {
      for (int index = 0; index < statements.size(); index++) {
        run(statement, statements.get(index), index + 1);
      }
    }
  }

  private void run(Statement statement, String text, int number) throws SQLException {
    try {
      statement.execute(text);
    } catch (SQLException e) {
      String firstLine = text.lines().findFirst().orElse("").strip();
      throw new SQLException(
          "%s, statement %d (%s): %s".formatted(file.path(), number, firstLine, e.getMessage()),
          e.getSQLState(),
          e.getErrorCode(),
          e);
    }
  }
}
