package holdfast.testkit.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A proxy in front of an echo server, both new for each test. */
abstract class ProxiedEcho {

  EchoServer server;
  TcpProxy proxy;

  @BeforeEach
  void startBoth() throws IOException {
    server = new EchoServer();
    proxy = TcpProxy.to("127.0.0.1", server.port());
  }

  @AfterEach
  void stopBoth() throws IOException {
    proxy.close();
    server.close();
  }

  Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(10_000);
    socket.setTcpNoDelay(true);
    return socket;
  }

  static void say(Socket socket, String words) throws IOException {
    socket.getOutputStream().write(words.getBytes(UTF_8));
  }

  static String hear(Socket socket, int length) throws IOException {
    return new String(socket.getInputStream().readNBytes(length), UTF_8);
  }

  static void assertEchoes(Socket socket) throws IOException {
    say(socket, "hello");
    assertThat(hear(socket, 5)).isEqualTo("hello");
  }

  List<String> threadsOfProxy() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("tcp-proxy-" + proxy.port() + "-"))
        .toList();
  }
}
