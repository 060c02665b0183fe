package holdfast.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/** A server that answers each request by writing whatever the test wants to the socket. */
final class RawServer implements AutoCloseable {

  /** Writes an answer, or some of it. */
  @FunctionalInterface
  interface Script {
    void answer(OutputStream out) throws Exception;
  }

  private final ServerSocket server;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();

  RawServer(Script script) {
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(() -> accept(script));
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "raw-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept(Script script) {
    try {
      while (true) {
        Socket socket = server.accept();
        sockets.add(socket);
        start(() -> serve(socket, script));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private void serve(Socket socket, Script script) {
    try (socket) {
      InputStream in = socket.getInputStream();
      while (readHead(in)) {
        script.answer(socket.getOutputStream());
        socket.getOutputStream().flush();
      }
    } catch (Exception e) {
      // The other side has closed the connection, which is told below.
    }
    ended.add("connection");
  }

  /** Reads up to an empty line; false at the end of the connection. */
  private static boolean readHead(InputStream in) throws IOException {
    int inARow = 0;
    for (int read = in.read(); read >= 0; read = in.read()) {
      inARow = read == '\n' ? inARow + 1 : read == '\r' ? inARow : 0;
      if (inARow == 2) {
        return true;
      }
    }
    return false;
  }

  URI uri() {
    return URI.create("http://localhost:" + server.getLocalPort() + "/");
  }

  /** Waits until a connection was closed by the client. */
  void awaitConnectionEnd() throws InterruptedException {
    ended.take();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
