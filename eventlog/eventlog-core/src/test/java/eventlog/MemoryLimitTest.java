package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.process.Acknowledged;
import holdfast.testkit.process.ChildJvm;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Large events and an API that never answers, in a small heap. */
@Timeout(180)
class MemoryLimitTest {
  private static final int EVENTS = 8000;

  @TempDir Path directory;

  @Test
  void anApiThatHangsExhaustsNoMemoryAndLossesHaveAReason() throws InterruptedException {
    assertThat(lastLine("")).contains("accepted=" + EVENTS).contains("queue_full=");
  }

  @Test
  void withSpilloverLossesAreThoseOfTheDisk() throws InterruptedException {
    assertThat(lastLine(directory.toString()))
        .contains("accepted=" + EVENTS)
        .contains("spillover_max_size=");
  }

  private static String lastLine(String spilloverPath) throws InterruptedException {
    try (ChildJvm child =
        ChildJvm.of(HungApiApp.class, spilloverPath)
            .jvmOptions("-Xmx256m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError")
            .start()) {
      assertThat(child.awaitExit(Duration.ofSeconds(120))).as(child.errors()).isZero();
      assertThat(child.errors()).doesNotContain("OutOfMemoryError");
      return child.lines().get(child.lines().size() - 1);
    }
  }

  /** Logs 800 MB of events of 100 kB each to an API that takes connections and never answers. */
  static final class HungApiApp {
    private HungApiApp() {}

    public static void main(String... args) throws Exception {
      try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
          HttpEventLogClient client =
              HttpEventLogClient.builder(URI.create("http://localhost:" + silent.getLocalPort()))
                  .requestTimeout(Duration.ofMillis(300))
                  .build()) {
        AsyncEventLoggerBuilder settings =
            AsyncEventLogger.builder()
                .client(client)
                .registerShutdownHook(false)
                .baseRetryDelay(Duration.ofMillis(100))
                .closeTimeout(Duration.ofSeconds(1));
        if (!args[0].isEmpty()) {
          settings.spilloverPath(Path.of(args[0]));
        }
        AsyncEventLogger logger = settings.build();
        for (int i = 0; i < EVENTS; i++) {
          logger.log(Events.builder("e-" + i).requestPayload("x".repeat(100_000)).build());
        }
        LedgerSnapshot end = logger.shutdown();
        if (!end.isAccountedFor()) {
          throw new IllegalStateException(end.toLine());
        }
        Acknowledged.line(end.toLine());
      }
    }
  }
}
