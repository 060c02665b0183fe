package demo.eventlog;

import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An Event Log API that stores events in a database: H2 in memory, or any other that the given JDBC
 * address leads to, such as PostgreSQL. Stateless.
 */
public final class EventLogServer {
  private static final int DEMO_PORT = 8080;
  private static final Pattern PARAMETERS = Pattern.compile("[?;].*", Pattern.DOTALL);
  private static final Pattern SCHEME =
      Pattern.compile("jdbc:\\w+:(?:(?:thin|oci|mem|file):)?(?://)?");

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
      // Without the cause: its message may hold the whole address, and with it the password.
      throw new IllegalStateException(
          "cannot store events at %s: %s with SQLState %s; check the address, user and password, and that the database's driver is on the class path"
              .formatted(withoutSecrets(jdbcUrl), e.getClass().getSimpleName(), e.getSQLState()));
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

  /** A JDBC address without user, password and parameters. */
  static String withoutSecrets(String jdbcUrl) {
    int parameters = PARAMETERS.matcher(jdbcUrl).replaceFirst("").length();
    int at = jdbcUrl.lastIndexOf('@');
    Matcher scheme = SCHEME.matcher(jdbcUrl);
    if (!scheme.lookingAt() || at > parameters) {
      return "jdbc:…"; // the @ may be part of a password: it is not clear where anything ends
    }
    return scheme.group() + jdbcUrl.substring(Math.max(at + 1, scheme.end()), parameters);
  }
}
