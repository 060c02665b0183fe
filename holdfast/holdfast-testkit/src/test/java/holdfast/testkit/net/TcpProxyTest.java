package holdfast.testkit.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TcpProxyTest extends ProxiedEcho {

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
      Eventually.await("no connection is left", () -> proxy.connections() == 0);
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
      Eventually.await("no connection is left", () -> proxy.connections() == 0);
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
