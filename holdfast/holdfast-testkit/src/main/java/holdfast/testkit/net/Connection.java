package holdfast.testkit.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One client's connection and its other half to the server.
 *
 * <p>Two threads carry the bytes, one for each direction; whoever ends the connection first closes
 * both sockets, which ends both threads. Safe for use by many threads.
 */
final class Connection {

  private static final int CHUNK = 16 * 1024;

  private final Socket client;
  private final Socket server = new Socket();
  private final Line line;
  private final AtomicInteger openDirections = new AtomicInteger(2);
  private final AtomicBoolean ended = new AtomicBoolean();

  Connection(Socket client, Line line) {
    this.client = client;
    this.line = line;
  }

  boolean isOpen() {
    return !ended.get();
  }

  /**
   * Reaches the server, waiting out a stalled line.
   *
   * @return whether both halves stand; otherwise the connection has ended
   */
  boolean connect(InetSocketAddress address) {
    try {
      if (!line.awaitFlow(ended::get)) {
        return false;
      }
      server.connect(address);
      server.setTcpNoDelay(true);
      client.setTcpNoDelay(true);
      return true;
    } catch (IOException unreachable) {
      // The client learns it as it would learn it from a server that dies: by a reset.
      reset();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
    }
    return false;
  }

  /** Carries what the client says to the server, until there is no more. */
  void carryToServer() {
    carry(client, server);
  }

  /** Carries what the server says to the client, until there is no more. */
  void carryToClient() {
    carry(server, client);
  }

  private void carry(Socket from, Socket to) {
    try {
      copy(from, to);
    } catch (IOException broken) {
      // One side is gone without a farewell; the other side sees the same.
      reset();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
    }
    if (openDirections.decrementAndGet() == 0) {
      close();
    }
  }

  private void copy(Socket from, Socket to) throws IOException, InterruptedException {
    InputStream in = from.getInputStream();
    OutputStream out = to.getOutputStream();
    byte[] chunk = new byte[CHUNK];
    int length;
    do {
      length = in.read(chunk);
      if (!line.awaitPassage(System.nanoTime(), ended::get)) {
        return;
      }
      if (length > 0) {
        out.write(chunk, 0, length);
      }
    } while (length >= 0);
    to.shutdownOutput();
  }

  /** Ends the connection in an orderly way. */
  void close() {
    end(false);
  }

  /** Ends the connection with a reset on both halves. */
  void reset() {
    end(true);
  }

  private void end(boolean abruptly) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    try (client;
        server) {
      if (abruptly) {
        resetOnClose(client);
        resetOnClose(server);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a connection of the proxy could not be closed", e);
    } finally {
      line.wake();
    }
  }

  /** Closing with no time to linger makes the system send a reset instead of a farewell. */
  private static void resetOnClose(Socket socket) throws IOException {
    // A socket that never connected has nobody to reset, and refuses the option after failing.
    if (socket.isConnected()) {
      socket.setSoLinger(true, 0);
    }
  }
}
