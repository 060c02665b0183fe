package eventlog.tool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import eventlog.AsyncEventLogger;
import eventlog.testkit.Fault;
import holdfast.testkit.process.ChildJvm;
import holdfast.testkit.threads.Eventually;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** {@code eventlog replay DIR}. */
class ReplayToolTest extends ToolFixture {
  /** So many that at a slow rate nobody is ever late to interrupt. */
  private static final int MANY = 200;

  @Test
  void everythingIsSentAndNothingIsLeft() throws InterruptedException {
    fill(directory, "e", 120);

    replay().assertDone("found 120, sent 120, set aside 0, left 0");

    assertThat(server.copies()).hasSize(120).allSatisfy((key, copies) -> assertOnce(copies));
    assertThat(exists(REPLAY)).isFalse();
    assertThat(exists(PROGRESS)).isFalse();
    assertThat(text(ACTIVE)).isEmpty();
    replay().assertDone("found 0, sent 0, set aside 0, left 0");
  }

  private static void assertOnce(int copies) {
    assertThat(copies).isEqualTo(1);
  }

  @Test
  void theDirectoriesOfProcessesThatSharedItAreSentAsWell() {
    try (AsyncEventLogger first = spilling(directory)) {
      fill(directory, "second", 2);
      first.log(event("first").build());
      Eventually.await("spilled", () -> first.metrics().eventsSpilled() == 1);
    }

    assertThat(here(replayArgs()).out()).startsWith("found 3, sent 3");
    assertThat(server.copies()).containsOnlyKeys("first", "second-0", "second-1");
  }

  @Test
  void aDirectoryInUseIsRefused() throws InterruptedException {
    try (AsyncEventLogger logger = spilling(directory)) {
      logger.log(event("mine").build());
      Eventually.await("spilled", () -> logger.metrics().eventsSpilled() == 1);

      Run run = replay();

      assertThat(run.exit()).isEqualTo(3);
      assertThat(run.err())
          .startsWith("eventlog: " + directory + " must not be in use but is, by {\"pid\":")
          .contains("\"pid\":" + ProcessHandle.current().pid());
      assertThat(server.requests()).isZero();
      assertThat(text(ACTIVE)).contains("\"mine\"");
    }
  }

  @Test
  void whileTheApiIsAwayEverythingStays() {
    fill(directory, "e", 5);
    server.faults().set(Fault.DOWN);

    Run run = here(replayArgs("--max-retries", "0"));

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out().strip()).isEqualTo("found 5, sent 0, set aside 0, left 5");
    assertThat(run.err()).contains(server.uri() + " takes no more events: java.io.IOException");
    assertThat(text(REPLAY).lines()).hasSize(5);
  }

  @Test
  void anApiThatComesBackIsTriedAgain() {
    fill(directory, "e", 5);
    server.faults().set(Fault.ERROR, 1);

    here(replayArgs()).assertDone("found 5, sent 5, set aside 0, left 0");
    assertThat(server.requests()).as("failed, one event as a probe, the others").isEqualTo(3);
  }

  @Test
  void aWrongKeyIsNotTriedAgain() {
    fill(directory, "e", 5);
    server.faults().set(Fault.UNAUTHORIZED);

    Run run = here(replayArgs());

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("takes no more events: HTTP 401");
    assertThat(server.requests()).isEqualTo(1);
  }

  @Test
  void afterAnInterruptionItGoesOnWhereItWas() throws InterruptedException {
    fill(directory, "e", MANY);
    try (ChildJvm child = start(replayArgs("--rate", "4", "--batch-size", "2"))) {
      Eventually.await("some are sent", () -> server.copies().size() >= 6);
      server.faults().set(Fault.UNAUTHORIZED);
      assertThat(child.awaitExit(Duration.ofSeconds(60))).isEqualTo(1);
    }
    int before = server.copies().size();
    assertThat(before).isLessThan(MANY);
    assertThat(exists(PROGRESS)).isTrue();
    assertThat(here("inspect", directory.toString()).out())
        .contains((MANY - before) + " events, ", before + " lines sent before");

    server.faults().set(Fault.NONE);
    assertThat(here(replayArgs()).out()).startsWith("found " + (MANY - before) + ", sent ");
    assertThat(server.copies()).hasSize(MANY).allSatisfy((key, copies) -> assertOnce(copies));
  }

  @Test
  void killedInTheMiddleItRepeatsOneBatchAtMost() throws InterruptedException {
    fill(directory, "e", MANY);
    try (ChildJvm child = start(replayArgs("--rate", "4", "--batch-size", "2"))) {
      Eventually.await("some are sent", () -> server.copies().size() >= 6);
      child.kill();
    }
    assertThat(server.copies().size()).isLessThan(MANY);

    assertThat(replay().exit()).isZero();

    assertThat(server.copies()).hasSize(MANY);
    assertThat(server.copies().values().stream().filter(copies -> copies > 1).count())
        .isLessThanOrEqualTo(2);
  }

  @Test
  void whatIsRefusedOrUnreadableIsSetAsideAndTheRestIsSent() throws Exception {
    fill(directory, "e", 5);
    Files.writeString(directory.resolve(ACTIVE), "no event\n", StandardOpenOption.APPEND);
    server.faults().poison("e-3");

    Run run = here(replayArgs());

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out().strip()).isEqualTo("found 6, sent 4, set aside 2, left 0");
    assertThat(run.err()).contains("eventlog inspect");
    assertThat(text(QUARANTINE))
        .contains("\"reason\":\"rejected_by_api\"", "\"reason\":\"unreadable_line\"");
    assertThat(server.copies()).containsOnlyKeys("e-0", "e-1", "e-2", "e-4");
  }

  @Test
  void fieldsCanBeMaskedOnTheWay() throws Exception {
    fill(directory, "e", 1);
    Queue<String> bodies = new ConcurrentLinkedQueue<>();
    Queue<String> keys = new ConcurrentLinkedQueue<>();
    HttpServer own =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    own.createContext(
        "/",
        exchange -> {
          try (exchange) {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("X-Key")));
            keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            exchange.sendResponseHeaders(200, -1);
          }
        });
    own.start();
    try {
      Run run =
          here(
              Map.of("EVENTLOG_API_KEY", "key-1", "EVENTLOG_BEARER_TOKEN", "token-1"),
              "replay",
              directory.toString(),
              "--url",
              "http://localhost:" + own.getAddress().getPort(),
              "--api-key-header",
              "X-Key",
              "--redact",
              "password,pin");
      assertThat(run.exit()).as(run.err()).isZero();
    } finally {
      own.stop(0);
    }
    assertThat(bodies).singleElement().asString().contains("***").doesNotContain("s3cret");
    assertThat(keys).containsExactly("key-1", "Bearer token-1");
  }
}
