package holdfast.verification.migration;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import liquibase.Scope;
import liquibase.command.CommandScope;
import liquibase.command.core.UpdateCommandStep;
import liquibase.command.core.helpers.DbUrlConnectionArgumentsCommandStep;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.resource.CompositeResourceAccessor;
import liquibase.resource.DirectoryResourceAccessor;
import liquibase.resource.ResourceAccessor;
import org.flywaydb.core.Flyway;

/** Ways in which applications run schema files. Stateless. */
enum Tool {
  FLYWAY {
    @Override
    void run(List<String> scripts, TestDatabase database, Path folder) throws Exception {
      for (int number = 1; number <= scripts.size(); number++) {
        Files.writeString(
            folder.resolve("V%d__tables.sql".formatted(number)), script(scripts, number));
      }
      Flyway.configure()
          .dataSource(database.dataSource())
          .locations("filesystem:" + folder)
          .load()
          .migrate();
    }
  },

  LIQUIBASE {
    @Override
    void run(List<String> scripts, TestDatabase database, Path folder) throws Exception {
      List<String> files = new ArrayList<>();
      for (int number = 1; number <= scripts.size(); number++) {
        files.add(number + ".sql");
        Files.writeString(folder.resolve(number + ".sql"), script(scripts, number));
      }
      liquibase(files, database, folder);
    }
  },

  /**
   * A client that knows nothing of SQL but that a semicolon at the end of a line ends a statement.
   */
  PLAIN_CLIENT {
    @Override
    void run(List<String> scripts, TestDatabase database, Path folder) throws SQLException {
      try (Connection connection = database.connect();
          Statement statement = connection.createStatement()) {
        for (String script : scripts) {
          for (String sql : script.split(";\\s*(\\n|$)")) {
            if (!sql.isBlank()) {
              statement.execute(sql);
            }
          }
        }
      }
    }
  },

  /** The client that MariaDB brings, given each file on its standard input. */
  MARIADB_CLIENT {
    @Override
    boolean runsOn(DatabaseKind kind) {
      return kind == DatabaseKind.MARIADB;
    }

    @Override
    void run(List<String> scripts, TestDatabase database, Path folder) throws Exception {
      for (int number = 1; number <= scripts.size(); number++) {
        Path file = folder.resolve(number + ".sql");
        Files.writeString(file, script(scripts, number));
        MariadbClient.run(file, database);
      }
    }
  };

  /** Returns whether the tool knows the database. */
  boolean runsOn(DatabaseKind kind) {
    return true;
  }

  /** Runs scripts in their order. */
  abstract void run(List<String> scripts, TestDatabase database, Path folder) throws Exception;

  private static String script(List<String> scripts, int number) {
    return scripts.get(number - 1);
  }

  /** Has Liquibase run files that are in the folder or on the class path. */
  static void liquibase(List<String> files, TestDatabase database, Path folder) throws Exception {
    StringBuilder changes = new StringBuilder("databaseChangeLog:\n");
    for (String file : files) {
      changes.append(
          """
          - changeSet:
              id: %1$s
              author: shop
              changes:
              - sqlFile:
                  path: %1$s
          """
              .formatted(file));
    }
    Files.writeString(folder.resolve("changes.yaml"), changes);
    try (Connection connection = database.connect();
        ResourceAccessor found =
            new CompositeResourceAccessor(
                new DirectoryResourceAccessor(folder), new ClassLoaderResourceAccessor())) {
      Database target =
          DatabaseFactory.getInstance()
              .findCorrectDatabaseImplementation(new JdbcConnection(connection));
      Scope.child(
          Map.of(Scope.Attr.resourceAccessor.name(), found),
          () ->
              new CommandScope(UpdateCommandStep.COMMAND_NAME)
                  .addArgumentValue(DbUrlConnectionArgumentsCommandStep.DATABASE_ARG, target)
                  .addArgumentValue(UpdateCommandStep.CHANGELOG_FILE_ARG, "changes.yaml")
                  .execute());
    }
  }
}
