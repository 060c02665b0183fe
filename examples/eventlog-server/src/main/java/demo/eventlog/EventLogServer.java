package demo.eventlog;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A small Event Log API. Safe for use by many threads.
 *
 * <pre>
 * POST /v1/events                       one event
 * POST /v1/events/batch                 {"events":[…]}
 * GET  /v1/events?correlationId=…       what is stored, oldest first; also ?traceId=…
 * PUT  /faults?fault=ERROR&amp;requests=3   fails on purpose; see {@link Fault}
 * </pre>
 *
 * <p>A body may have 16 MiB, and a request takes 30 seconds at most to come in.
 *
 * <p>Events with the same {@code idempotencyKey} are stored once. The database is H2 in memory, or
 * any other that the given JDBC address leads to, such as PostgreSQL.
 */
public final class EventLogServer implements AutoCloseable {
  private static final int DEMO_PORT = 8080;
  private static final String MAX_REQUEST_TIME = "sun.net.httpserver.maxReqTime";
  private static final String MAX_REQUEST_SECONDS = "30";

  static { // read when the first server is made; without it half a request holds a thread for ever
    if (System.getProperty(MAX_REQUEST_TIME) == null) {
      System.setProperty(MAX_REQUEST_TIME, MAX_REQUEST_SECONDS);
    }
  }

  private final EventTable table;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Faults faults = new Faults();
  private final AtomicLong requests = new AtomicLong();

  /**
   * A server that runs.
   *
   * @param port where to listen; 0 for any free port
   * @param jdbcUrl where to store events
   * @param user who stores them; empty if the database asks nobody
   * @param password the user's password
   */
  public EventLogServer(int port, String jdbcUrl, String user, String password) {
    try {
      table = new EventTable(jdbcUrl, user, password);
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot store events at " + withoutSecrets(jdbcUrl), e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on port " + port, e);
    }
    server.setExecutor(threads);
    server.createContext("/v1/events", new EventsHandler(table, faults, requests));
    server.createContext("/faults", new FaultsHandler(faults));
    server.start();
  }

  /** A server on a free port, with a database of its own in memory. */
  public static EventLogServer inMemory() {
    return new EventLogServer(0, "jdbc:h2:mem:" + UUID.randomUUID(), "", "");
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
    EventLogServer server = new EventLogServer(port, url, user, password);
    System.out.println(
        "Event Log API at " + server.uri() + ", events stored at " + withoutSecrets(url));
  }

  /** A JDBC address without user and parameters, which may hold a password. */
  static String withoutSecrets(String jdbcUrl) {
    return jdbcUrl.replaceFirst("[?;].*", "").replaceFirst("//[^/]*@", "//");
  }

  /** Where the API is, without {@code /v1}. */
  public URI uri() {
    return URI.create("http://localhost:" + server.getAddress().getPort());
  }

  /** What to switch on and off. */
  public Faults faults() {
    return faults;
  }

  /** How many requests to store events have come, answered or not. */
  public long requests() {
    return requests.get();
  }

  /** How often each event came, by its idempotency key, in the order of their first coming. */
  public Map<String, Integer> copies() {
    try {
      return table.copies();
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read events", e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    try {
      table.close();
    } catch (SQLException e) {
      throw new IllegalStateException("cannot close the database", e);
    }
  }
}
