package holdfast.jdbc;

import static holdfast.jdbc.Databases.allAtOnce;
import static holdfast.jdbc.Databases.count;
import static holdfast.jdbc.Databases.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class SchemaScriptTest {

  private static final String FOLDER = "holdfast/jdbc/schema";

  @EachDatabase
  void createsTheTableOnceAndKeepsWhatIsInIt(TestDatabase database) throws SQLException {
    SchemaScript script = load(database, FOLDER).with("letters", TableName.of("created"));

    script.createIfMissing(database.dataSource());
    execute(database, "INSERT INTO created (id, status) VALUES ('a', 0)");
    script.createIfMissing(database.dataSource());

    assertThat(count(database, "created")).isEqualTo(1);
  }

  @EachDatabase
  void createsTheTableInItsSchema(TestDatabase database) throws SQLException {
    String schema = database.kind() == DatabaseKind.MARIADB ? database.name() : "app";
    if (database.kind() != DatabaseKind.MARIADB) {
      execute(database, "CREATE SCHEMA app");
    }
    TableName table = new TableName(schema, "qualified");
    SchemaScript script = load(database, FOLDER).with("letters", table);

    script.createIfMissing(database.dataSource());
    script.createIfMissing(database.dataSource());

    assertThat(count(database, table.toString())).isZero();
  }

  @EachDatabase
  void withoutAConnectionItIsNotTriedAgain(TestDatabase database) throws SQLException {
    SchemaScript script = load(database, FOLDER).with("letters", TableName.of("unreachable"));
    FaultyPool pool =
        new FaultyPool(
            database.connect(), 1, FaultyPool.Fault.FROM_THEN_ON, () -> new SQLException("down"));

    assertThatThrownBy(() -> script.createIfMissing(pool.dataSource()))
        .isInstanceOf(SQLException.class)
        .hasMessage("down")
        .hasNoSuppressedExceptions();

    assertThat(pool.calls()).containsExactly("getConnection");
  }

  @EachDatabase
  void manyThreadsMayCreateAtOnce(TestDatabase database) throws Exception {
    for (int round = 0; round < 5; round++) {
      SchemaScript script =
          load(database, FOLDER).with("letters", TableName.of("threads_" + round));
      Callable<Boolean> task =
          () -> {
            script.createIfMissing(database.dataSource());
            return true;
          };
      allAtOnce(Collections.nCopies(8, task));
      assertThat(count(database, "threads_" + round)).isZero();
    }
  }

  @EachDatabase
  void manyNodesMayCreateAtOnce(TestDatabase database) throws Exception {
    List<URLClassLoader> nodes = new ArrayList<>();
    try {
      for (int node = 0; node < 8; node++) {
        nodes.add(anotherNode());
      }
      for (int round = 0; round < 3; round++) {
        String table = "nodes_" + round;
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (URLClassLoader node : nodes) {
          tasks.add(() -> createOn(node, database.dataSource(), table));
        }
        allAtOnce(tasks);
        assertThat(count(database, table)).isZero();
      }
    } finally {
      for (URLClassLoader node : nodes) {
        node.close();
      }
    }
  }

  /** Classes of its own, so that no lock within this JVM can be shared with other nodes. */
  private static URLClassLoader anotherNode() {
    URL main = SchemaScript.class.getProtectionDomain().getCodeSource().getLocation();
    URL test = SchemaScriptTest.class.getProtectionDomain().getCodeSource().getLocation();
    ClassLoader parent =
        new ClassLoader(SchemaScriptTest.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("holdfast.jdbc.")) {
              throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
          }
        };
    return new URLClassLoader(new URL[] {main, test}, parent);
  }

  private static boolean createOn(URLClassLoader node, DataSource dataSource, String table)
      throws Exception {
    Class<?> task = node.loadClass(NodeTask.class.getName());
    assertThat(task).isNotEqualTo(NodeTask.class);
    task.getMethod("create", DataSource.class, String.class).invoke(null, dataSource, table);
    return true;
  }

  @EachDatabase
  void aFailingStatementIsNamedWithItsFileAndNumber(TestDatabase database) throws SQLException {
    SchemaScript script = load(database, "holdfast/jdbc/broken");

    assertThatThrownBy(() -> script.createIfMissing(database.dataSource()))
        .isInstanceOf(SQLException.class)
        .hasMessageStartingWith(
            "holdfast/jdbc/broken/%s.sql, statement 2 (INSERT INTO no_such_table): "
                .formatted(Dialect.of(database.dataSource()).name()))
        .satisfies(
            failure -> {
              SQLException cause = (SQLException) failure.getCause();
              assertThat(((SQLException) failure).getSQLState()).isEqualTo(cause.getSQLState());
              assertThat(((SQLException) failure).getErrorCode()).isEqualTo(cause.getErrorCode());
            });
  }

  @EachDatabase(DatabaseKind.MARIADB)
  void waitsForTheNodeThatHoldsTheLock(TestDatabase database) throws Exception {
    SchemaScript script = load(database, FOLDER).with("letters", TableName.of("waited"));
    Dialect dialect = Dialect.of(database.dataSource());
    String waiting =
        "SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'User lock'";
    try (Connection holder = database.connect();
        Sql waiters = dialect.sql(holder, waiting)) {
      execute(holder, "SELECT GET_LOCK('holdfast.schema', 0)");
      Thread node = new Thread(() -> createdBy(script, database));
      node.start();
      while (waiters.first(Row::intValue).orElseThrow() == 0 && node.isAlive()) {
        Thread.onSpinWait();
      }
      assertThatThrownBy(() -> count(database, "waited")).isInstanceOf(SQLException.class);
      execute(holder, "SELECT RELEASE_LOCK('holdfast.schema')");
      node.join();
      assertThat(count(database, "waited")).isZero();
    }
  }

  private static void createdBy(SchemaScript script, TestDatabase database) {
    try {
      script.createIfMissing(database.dataSource());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @EachDatabase
  void aFailureLeavesNoLockBehind(TestDatabase database) throws Exception {
    SchemaScript broken = load(database, "holdfast/jdbc/broken");
    try (Connection kept = database.connect()) {
      assertThatThrownBy(() -> broken.createIfMissing(OneConnection.of(kept)))
          .isInstanceOf(SQLException.class);

      Callable<Boolean> task =
          () -> {
            load(database, FOLDER)
                .with("letters", TableName.of("after_failure"))
                .createIfMissing(database.dataSource());
            return true;
          };
      assertThat(allAtOnce(List.of(task))).containsExactly(true);
    }
  }

  @Test
  void aMissingFileIsNamedWithTheDatabasesThatHaveOne() {
    assertThatThrownBy(
            () -> SchemaScript.load(getClass(), "holdfast/jdbc/partial", Dialect.named("mysql")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "schema file holdfast/jdbc/partial/mysql.sql must be on the class path but was not"
                + " found; there are files for: h2, postgresql");
    assertThatThrownBy(() -> SchemaScript.load(getClass(), "nowhere", Dialect.named("h2")))
        .hasMessageEndingWith("there are files for: no database");
  }

  @Test
  void aFolderIsGivenWithoutSlashesAroundIt() {
    for (String folder : List.of("/schema", "schema/")) {
      assertThatThrownBy(
              () -> SchemaScript.load(SchemaScriptTest.class, folder, Dialect.named("h2")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("without a slash before or after it, but was '" + folder + "'");
    }
  }

  @Test
  void aNamedModuleIsToldToOpenItsFolder() {
    assertThatThrownBy(() -> SchemaScript.load(String.class, "nowhere", Dialect.named("h2")))
        .hasMessageEndingWith("; module java.base must open the folder to io.holdfast.jdbc");
  }

  @Test
  void aTableThatTheFileDoesNotCreateIsRefused() {
    SchemaScript script = SchemaScript.load(getClass(), FOLDER, Dialect.named("h2"));

    assertThatThrownBy(() -> script.with("lettres", TableName.of("t")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("table must be one that holdfast/jdbc/schema/h2.sql creates but was 'lettres'");
  }

  @Test
  void withoutOtherNamesTheTextIsThatOfTheFile() {
    SchemaScript script = SchemaScript.load(getClass(), FOLDER, Dialect.named("h2"));

    assertThat(script.text())
        .isEqualTo(script.with("letters", TableName.of("letters")).text())
        .startsWith("-- The events; one row each.\nCREATE TABLE IF NOT EXISTS letters (");
  }

  @Test
  void theLastNameOfATableCounts() {
    SchemaScript script = SchemaScript.load(getClass(), FOLDER, Dialect.named("h2"));

    assertThat(
            script
                .with("letters", TableName.of("first"))
                .with("letters", TableName.of("app.latter"))
                .statements())
        .hasSize(2)
        .allMatch(statement -> statement.contains("app.latter"))
        .noneMatch(statement -> statement.contains("first"))
        .last()
        .asString()
        .startsWith("CREATE INDEX IF NOT EXISTS latter_due");
  }

  private static SchemaScript load(TestDatabase database, String folder) throws SQLException {
    return SchemaScript.load(SchemaScriptTest.class, folder, Dialect.of(database.dataSource()));
  }
}
