package holdfast.testkit.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A stretch of network in front of a real server, which a test can slow down and break.
 *
 * <p>It listens on a free port of 127.0.0.1 from the moment it is made, and passes every byte both
 * ways, and the end of each direction by itself. What is set holds for open and for new connections
 * until {@link #mend()}. Its threads are daemons and have ended when {@link #close()} returns. Safe
 * for use by many threads.
 */
public final class TcpProxy implements AutoCloseable {

  private final InetSocketAddress server;
  private final ServerSocket door;
  private final Line line = new Line();
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final Crew crew = new Crew();
  private final AtomicLong accepted = new AtomicLong();

  private TcpProxy(InetSocketAddress server, ServerSocket door) {
    this.server = server;
    this.door = door;
  }

  /**
   * A proxy in front of the given server, already listening.
   *
   * @param host where the server is; it is looked up now, and need not be up yet
   * @param port the server's port
   * @throws UncheckedIOException if no port can be opened
   */
  public static TcpProxy to(String host, int port) {
    InetSocketAddress server = new InetSocketAddress(host, port);
    if (server.isUnresolved()) {
      throw new IllegalArgumentException(
          "host must be a known name or an address but was '" + host + "'; try 127.0.0.1");
    }
    try {
      TcpProxy proxy =
          new TcpProxy(
              server, new ServerSocket(0, 0, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})));
      proxy.launch("accept", proxy::acceptAll);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException("the proxy needs a free port on 127.0.0.1", e);
    }
  }

  /** The port on 127.0.0.1 that stands for the server's. */
  public int port() {
    return door.getLocalPort();
  }

  /**
   * Holds back what passes, each way.
   *
   * <p>Every portion waits this long from its arrival at the proxy; what arrives behind a portion
   * that is still waiting can wait up to twice as long.
   *
   * @param eachWay zero or more
   */
  public void delay(Duration eachWay) {
    if (eachWay.isNegative()) {
      throw new IllegalArgumentException("delay must be zero or more but was " + eachWay);
    }
    line.delay(eachWay);
  }

  /**
   * Closes every connection; new ones are closed as soon as they are made, until {@link #mend()}.
   */
  public void cut() {
    line.cut();
    connections.forEach(Connection::close);
  }

  /**
   * Keeps every connection open and lets no byte pass, until {@link #mend()}.
   *
   * <p>New connections are accepted and do not reach the server. What was sent meanwhile arrives
   * after mending.
   */
  public void stall() {
    line.stall();
  }

  /** Ends every connection of this moment with a reset; changes nothing for new ones. */
  public void reset() {
    connections.forEach(Connection::reset);
  }

  /** Restores the network: nothing cut, nothing stalled, no delay. */
  public void mend() {
    line.mend();
  }

  /** How many clients are connected now. */
  public int connections() {
    return (int) connections.stream().filter(Connection::isOpen).count();
  }

  /**
   * Closes the port and every connection, and waits for the proxy's threads to end.
   *
   * @throws IllegalStateException if a thread does not end
   */
  @Override
  public void close() {
    try {
      door.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the proxy's port " + port() + " could not be closed", e);
    } finally {
      cut();
    }
    crew.awaitEnd();
  }

  private void acceptAll() {
    while (!door.isClosed()) {
      try {
        admit(door.accept());
      } catch (IOException e) {
        if (!door.isClosed()) {
          throw new UncheckedIOException("the proxy on port " + port() + " stopped accepting", e);
        }
      }
    }
  }

  private void admit(Socket client) {
    Connection connection = new Connection(client, line);
    // Known first, then asked: a cut at any moment either finds it here or is seen here.
    connections.add(connection);
    if (line.isCut() || door.isClosed()) {
      connection.close();
      connections.remove(connection);
      return;
    }
    String name = Long.toString(accepted.incrementAndGet());
    launch(name + "-to-server", () -> serve(connection, name));
  }

  private void serve(Connection connection, String name) {
    if (connection.connect(server)) {
      launch(name + "-to-client", connection::carryToClient);
      connection.carryToServer();
    }
  }

  private void launch(String name, Runnable work) {
    crew.launch(
        "tcp-proxy-" + port() + "-" + name,
        () -> {
          try {
            work.run();
          } finally {
            connections.removeIf(known -> !known.isOpen());
          }
        });
  }
}
