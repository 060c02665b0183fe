package demo.eventlog;

import java.sql.SQLException;

/**
 * An Event Log API that stores events in a database: H2 in memory, or any other that the given JDBC
 * address leads to, such as PostgreSQL. Stateless.
 */
public final class EventLogServer {
  private static final int DEMO_PORT = 8080;

  private EventLogServer() {}

  /**
   * Starts a server.
   *
   * @param port where to listen; 0 for any free port
   * @param jdbcUrl where to store events
   * @param user who stores them; empty if the database asks nobody
   * @param password the user's password
   * @return a server that runs, to be closed
   */
  public static eventlog.testkit.EventLogServer start(
      int port, String jdbcUrl, String user, String password) {
    try {
      return eventlog.testkit.EventLogServer.start(port, new EventTable(jdbcUrl, user, password));
    } catch (SQLException e) {
      throw new IllegalStateException("cannot store events at " + withoutSecrets(jdbcUrl), e);
    }
  }

  /**
   * Serves until the process is ended.
   *
   * @param args the port, 8080 unless given; the JDBC address, H2 in memory unless given; user and
   *     password
   */
  public static void main(String... args) {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : DEMO_PORT;
    String url = args.length > 1 ? args[1] : "jdbc:h2:mem:events";
    String user = args.length > 2 ? args[2] : "";
    String password = args.length > 3 ? args[3] : "";
    System.out.println(
        "Event Log API at "
            + start(port, url, user, password).uri()
            + ", events stored at "
            + withoutSecrets(url));
  }

  /** A JDBC address without user and parameters, which may hold a password. */
  static String withoutSecrets(String jdbcUrl) {
    return jdbcUrl.replaceFirst("[?;].*", "").replaceFirst("//[^/]*@", "//");
  }
}
