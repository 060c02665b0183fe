package holdfast.testkit.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BrokenNetworkTest extends ProxiedEcho {

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
        Eventually.await("the client is connected", () -> proxy.connections() == 1);
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
}
