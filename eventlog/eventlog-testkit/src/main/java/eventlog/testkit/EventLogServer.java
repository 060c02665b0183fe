package eventlog.testkit;

import com.sun.net.httpserver.HttpServer;
import holdfast.lifecycle.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An Event Log API for tests, on a port of this machine. Safe for use by many threads.
 *
 * <pre>{@code
 * try (EventLogServer server = EventLogServer.start()) {
 *   AsyncEventLogger logger = AsyncEventLogger.builder()
 *       .client(HttpEventLogClient.builder(server.uri()).build()).build();
 *   placeOrder(logger);
 *   logger.close();
 *   assertThat(server.events()).extracting(event -> event.field("summary"))
 *       .containsExactly("Stock reserved");
 * }
 * }</pre>
 *
 * <pre>
 * POST /v1/events                       one event
 * POST /v1/events/batch                 {"events":[…]}
 * GET  /v1/events?correlationId=…       what is stored, oldest first; also ?traceId=…
 * PUT  /faults?fault=ERROR&amp;requests=3   fails on purpose; see {@link Fault}
 * </pre>
 *
 * <p>Events with the same {@code idempotencyKey} are stored once. A body may have 16 MiB, and a
 * request takes 30 seconds at most to come in.
 *
 * <p>The JDK's HTTP server takes some settings for the whole JVM only. Before the first server
 * starts, this class sets the system properties {@code sun.net.httpserver.maxReqTime} to 30 and
 * {@code sun.net.httpserver.nodelay} to true, unless they are set. They hold for every {@code
 * com.sun.net.httpserver.HttpServer} of the JVM; to choose other values set them yourself before.
 */
public final class EventLogServer implements AutoCloseable {
  private static final String MAX_REQUEST_TIME = "sun.net.httpserver.maxReqTime";
  private static final String MAX_REQUEST_SECONDS = "30";
  private static final String NO_DELAY = "sun.net.httpserver.nodelay";

  static { // read when the first server is made
    setUnlessSet(MAX_REQUEST_TIME, MAX_REQUEST_SECONDS); // else half a request holds a thread
    setUnlessSet(NO_DELAY, "true"); // else the body of each answer waits 40 ms for its header
  }

  private static void setUnlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  private final EventStore store;
  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Threads.daemon("eventlog-testkit"));
  private final Faults faults = new Faults();
  private final AtomicLong requests = new AtomicLong();

  private EventLogServer(int port, EventStore store) {
    this.store = store;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on port " + port, e);
    }
    server.setExecutor(threads);
    server.createContext("/v1/events", new EventsHandler(store, faults, requests));
    server.createContext("/faults", new FaultsHandler(faults));
    server.start();
  }

  /** Starts a server on a free port that keeps events in memory. */
  public static EventLogServer start() {
    return start(0, new MemoryStore());
  }

  /**
   * Starts a server.
   *
   * @param port where to listen; 0 for any free port
   * @param store where to keep events; it is closed with the server
   * @return a server that runs, to be closed
   * @throws UncheckedIOException if the port cannot be had
   */
  public static EventLogServer start(int port, EventStore store) {
    return new EventLogServer(port, store);
  }

  /** Returns where the API is, without {@code /v1}. */
  public URI uri() {
    return URI.create("http://localhost:" + server.getAddress().getPort());
  }

  /** Returns the faults, to be switched on and off. */
  public Faults faults() {
    return faults;
  }

  /** Returns how many requests to store events have come, answered or not. */
  public long requests() {
    return requests.get();
  }

  /** Returns the events that are stored, in the order of their first coming. */
  public List<StoredEvent> events() {
    return store.all();
  }

  /** Returns how often each event came, by its idempotency key, in the order of first coming. */
  public Map<String, Integer> copies() {
    Map<String, Integer> copies = new LinkedHashMap<>();
    events().forEach(event -> copies.put(event.idempotencyKey(), event.copies()));
    return copies;
  }

  /** Ends the server and closes its store. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    store.close();
  }
}
