package holdfast.testkit.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A real server that says back what it hears, and ends its half when the client ends its own. */
final class EchoServer implements AutoCloseable {

  private final ServerSocket door;
  private final Thread acceptor;
  private final Set<Socket> clients = ConcurrentHashMap.newKeySet();

  EchoServer() throws IOException {
    door = new ServerSocket(0, 0, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    acceptor = launch(this::acceptAll);
  }

  int port() {
    return door.getLocalPort();
  }

  /** How many clients have reached the server so far. */
  int seen() {
    return clients.size();
  }

  private void acceptAll() {
    while (!door.isClosed()) {
      try {
        Socket client = door.accept();
        clients.add(client);
        launch(() -> echo(client));
      } catch (IOException e) {
        if (!door.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private static void echo(Socket client) {
    try (client) {
      client.getInputStream().transferTo(client.getOutputStream());
      client.shutdownOutput();
    } catch (IOException e) {
      // The tests break connections on purpose; what matters is what the client sees.
      return;
    }
  }

  private static Thread launch(Runnable work) {
    Thread thread = new Thread(work, "echo-server");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Override
  public void close() throws IOException {
    door.close();
    awaitEnd(acceptor);
    for (Socket client : clients) {
      client.close();
    }
  }

  /** A thread that is accepting while the door closes may still let one client in. */
  private static void awaitEnd(Thread acceptor) {
    try {
      acceptor.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
