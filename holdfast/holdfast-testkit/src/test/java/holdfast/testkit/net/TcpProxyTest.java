package holdfast.testkit.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TcpProxyTest {

  private EchoServer server;
  private TcpProxy proxy;

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

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(10_000);
    socket.setTcpNoDelay(true);
    return socket;
  }

  private static void say(Socket socket, String words) throws IOException {
    socket.getOutputStream().write(words.getBytes(UTF_8));
  }

  private static String hear(Socket socket, int length) throws IOException {
    return new String(socket.getInputStream().readNBytes(length), UTF_8);
  }

  private static void assertEchoes(Socket socket) throws IOException {
    say(socket, "hello");
    assertThat(hear(socket, 5)).isEqualTo("hello");
  }

  private List<String> threadsOfProxy() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("tcp-proxy-" + proxy.port() + "-"))
        .toList();
  }

  @Nested
  class WithNothingBroken {

    @Test
    void passesBytesBothWays() throws IOException {
      try (Socket client = connect()) {
        assertEchoes(client);
        assertEchoes(client);
      }
    }

    @Test
    void passesTheEndOfOneDirectionAndStillCarriesTheOther() throws IOException {
      try (Socket client = connect()) {
        say(client, "last words");
        client.shutdownOutput();

        assertThat(client.getInputStream().readAllBytes()).isEqualTo("last words".getBytes(UTF_8));
      }
      Eventually.becomesTrue("no connection is left", () -> proxy.connections() == 0);
    }

    @Test
    void passesMegabytesUnchanged() throws Exception {
      byte[] sent = new byte[3_000_000];
      new Random(7).nextBytes(sent);
      try (Socket client = connect()) {
        Thread speaker =
            new Thread(
                () -> {
                  try {
                    client.getOutputStream().write(sent);
                    client.shutdownOutput();
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                });
        speaker.start();

        assertThat(client.getInputStream().readAllBytes()).isEqualTo(sent);
        speaker.join();
      }
    }

    @Test
    void countsTheConnectionsOpenNow() throws IOException {
      assertThat(proxy.connections()).isZero();
      try (Socket one = connect();
          Socket two = connect()) {
        assertEchoes(one);
        assertEchoes(two);
        assertThat(proxy.connections()).isEqualTo(2);
      }
      Eventually.becomesTrue("no connection is left", () -> proxy.connections() == 0);
    }

    @Test
    void resetsTheClientWhenTheServerIsNotThere() throws IOException {
      server.close();
      try (Socket client = connect()) {
        assertThatThrownBy(() -> client.getInputStream().read())
            .isInstanceOf(SocketException.class)
            .hasMessageContaining("reset");
      }
    }

    @Test
    void refusesAHostNobodyKnows() {
      assertThatThrownBy(() -> TcpProxy.to("no such host", 1).close())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'no such host'");
    }
  }

  @Nested
  class Delayed {

    @Test
    void aRoundTripTakesTheDelayTwice() throws IOException {
      try (Socket client = connect()) {
        assertEchoes(client);
        proxy.delay(Duration.ofMillis(60));

        long start = System.nanoTime();
        assertEchoes(client);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
            .isBetween(millis(120), millis(5000));
      }
    }

    @Test
    void mendingReleasesWhatIsHeldBack() throws IOException {
      try (Socket client = connect()) {
        assertEchoes(client);
        proxy.delay(Duration.ofHours(1));
        say(client, "hello");
        proxy.mend();

        assertThat(hear(client, 5)).isEqualTo("hello");
      }
    }

    @Test
    void refusesANegativeDelay() {
      assertThatThrownBy(() -> proxy.delay(Duration.ofMillis(-1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("zero or more");
    }

    private static Duration millis(long millis) {
      return Duration.ofMillis(millis);
    }
  }

  @Nested
  class Cut {

    @Test
    void closesWhatIsOpenAndWhatIsNew() throws IOException {
      try (Socket before = connect()) {
        assertEchoes(before);
        proxy.cut();

        assertEnded(before);
        assertThat(proxy.connections()).isZero();
        try (Socket during = connect()) {
          assertEnded(during);
        }
      }
      assertThat(server.seen()).isEqualTo(1);
    }

    @Test
    void newConnectionsWorkAfterMending() throws IOException {
      proxy.cut();
      proxy.mend();

      try (Socket after = connect()) {
        assertEchoes(after);
      }
    }

    private static void assertEnded(Socket socket) throws IOException {
      try {
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
      } catch (SocketException e) {
        assertThat(e).hasMessageContaining("reset");
      }
    }
  }

  @Nested
  class Stalled {

    @Test
    void noBytePassesAndTheConnectionStaysOpen() throws IOException {
      try (Socket client = connect()) {
        assertEchoes(client);
        proxy.stall();
        say(client, "hello");

        client.setSoTimeout(100);
        assertThatThrownBy(() -> client.getInputStream().read())
            .isInstanceOf(SocketTimeoutException.class);
        assertThat(proxy.connections()).isEqualTo(1);
      }
    }

    @Test
    void whatWasSentArrivesAfterMending() throws IOException {
      try (Socket client = connect()) {
        assertEchoes(client);
        proxy.stall();
        say(client, "hello");
        client.shutdownOutput();
        proxy.mend();

        assertThat(client.getInputStream().readAllBytes()).isEqualTo("hello".getBytes(UTF_8));
      }
    }

    @Test
    void newConnectionsAreAcceptedAndHangUntilMended() throws IOException {
      proxy.stall();
      try (Socket client = connect()) {
        say(client, "hello");
        Eventually.becomesTrue("the client is connected", () -> proxy.connections() == 1);
        assertThat(server.seen()).isZero();

        proxy.mend();
        assertThat(hear(client, 5)).isEqualTo("hello");
      }
    }

    @Test
    void canBeClosed() throws IOException {
      try (Socket client = connect()) {
        assertEchoes(client);
        proxy.stall();
        say(client, "never heard");
        proxy.close();

        assertThat(threadsOfProxy()).isEmpty();
      }
    }
  }

  @Nested
  class Reset {

    @Test
    void theClientSeesItsConnectionReset() throws IOException {
      try (Socket client = connect()) {
        assertEchoes(client);
        proxy.reset();

        assertThatThrownBy(() -> client.getInputStream().read())
            .isInstanceOf(SocketException.class)
            .hasMessage("Connection reset");
      }
    }

    @Test
    void newConnectionsWork() throws IOException {
      try (Socket before = connect()) {
        assertEchoes(before);
        proxy.reset();
        try (Socket after = connect()) {
          assertEchoes(after);
        }
      }
    }
  }

  @Nested
  class Closed {

    @Test
    void leavesNoThreadAndNoSocketBehind() throws IOException {
      try (Socket one = connect();
          Socket two = connect()) {
        assertEchoes(one);
        assertEchoes(two);
        assertThat(threadsOfProxy()).hasSize(5);
        proxy.close();

        assertThat(threadsOfProxy()).isEmpty();
        assertThat(proxy.connections()).isZero();
        assertThatThrownBy(() -> connect().close()).hasMessageContaining("refused");
      }
    }

    @Test
    void givesItsPortBack() throws IOException {
      proxy.close();
      try (ServerSocket next = new ServerSocket(proxy.port())) {
        assertThat(next.isBound()).isTrue();
      }
    }

    @Test
    void canBeClosedTwice() {
      proxy.close();
      proxy.close();
      assertThat(threadsOfProxy()).isEmpty();
    }
  }
}
