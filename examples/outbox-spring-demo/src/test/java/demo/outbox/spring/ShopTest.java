package demo.outbox.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the shop and runs through the lines of its README, over HTTP. */
class ShopTest {

  private ConfigurableApplicationContext shop;
  private Iterator<String> lines;

  @BeforeEach
  void start() throws IOException {
    shop = SpringApplication.run(ShopApplication.class, "--server.port=0");
    lines = readme().stream().filter(line -> line.startsWith("curl")).iterator();
  }

  @AfterEach
  void stop() {
    shop.close();
  }

  private static List<String> readme() throws IOException {
    return Files.readAllLines(Path.of("README.md"));
  }

  private HttpResponse<String> run(String line) throws IOException, InterruptedException {
    return new CurlLine(line).run(shop.getEnvironment().getProperty("local.server.port"));
  }

  private void run(String expectedLine, int expectedStatus) throws Exception {
    String line = lines.next();
    assertThat(line).contains(expectedLine);
    assertThat(run(line).statusCode()).as(line).isEqualTo(expectedStatus);
  }

  /** Asks until the answer is there: mails are sent after the answer to the order. */
  private void awaitAnswer(String... texts) throws Exception {
    String line = lines.next();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    String answer = run(line).body();
    while (!List.of(texts).stream().allMatch(answer::contains) && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      answer = run(line).body();
    }
    assertThat(answer).as(line).contains(texts);
  }

  @Test
  void theLinesOfTheReadmeTellTheStoryAndEveryEventIsAccountedFor() throws Exception {
    run("/orders?item=book", 200);
    awaitAnswer("order 1: book");

    run("/orders/sold-out", 409);
    awaitAnswer("outbox accepted=1 delivered=1 held=0 ");

    run("/mail-server/hang", 200);
    run("/orders?item=pen", 200);
    awaitAnswer("\"inFlight\":1,\"queues\":{\"hot\":0,");
    run("/orders?item=pen&count=5", 200);
    awaitAnswer("\"hot\":2", "\"outbox.hot.dropped\":3", "\"held\":6", "\"unaccounted\":0");

    run("/mail-server/go-on", 200);
    awaitAnswer("order 3: pen", "order 8: pen"); // the identity 2 went with the rollback

    run("/mail-server/fail?times=1", 200);
    run("/orders?item=lamp", 200);
    awaitAnswer("order 9: lamp");

    run("/mail-server/fail?times=3", 200);
    run("/orders?item=vase", 200);
    awaitAnswer("\"count\":1", "\"attempts\":3", "the mail server is broken");
    awaitAnswer("\"status\":\"UP\"", "\"outbox\":{");

    awaitAnswer("\"redelivered\":1", "\"dead\":0");
    awaitAnswer("order 10: vase");

    String ledger = readme().stream().filter(line -> line.startsWith("outbox ")).findAny().get();
    awaitAnswer(ledger + "\n");
    assertThat(lines.hasNext()).isFalse();
  }
}
