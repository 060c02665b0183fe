package demo.outbox.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the shop and runs through the lines of its README, over HTTP. */
class ShopTest {

  private static final Pattern CURL =
      Pattern.compile("curl (?:-X (POST) )?'?localhost:8080([^' ]*)'?");

  private final HttpClient http = HttpClient.newHttpClient();
  private ConfigurableApplicationContext shop;

  @BeforeEach
  void start() {
    shop = SpringApplication.run(ShopApplication.class, "--server.port=0");
  }

  @AfterEach
  void stop() {
    shop.close();
  }

  private static List<String> lines() throws IOException {
    return Files.readAllLines(Path.of("README.md")).stream()
        .filter(line -> line.startsWith("curl"))
        .toList();
  }

  private HttpResponse<String> run(String curl) throws IOException, InterruptedException {
    Matcher line = CURL.matcher(curl);
    assertThat(line.matches()).as(curl).isTrue();
    String port = shop.getEnvironment().getProperty("local.server.port");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + line.group(2)));
    if (line.group(1) != null) {
      request.POST(HttpRequest.BodyPublishers.noBody());
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private void run(Iterator<String> lines, String expectedLine, int expectedStatus)
      throws Exception {
    String line = lines.next();
    assertThat(line).contains(expectedLine);
    assertThat(run(line).statusCode()).as(line).isEqualTo(expectedStatus);
  }

  /** Asks until the answer is there: mails are sent after the answer to the order. */
  private void awaitAnswer(Iterator<String> lines, String... texts) throws Exception {
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
  void theLinesOfTheReadmeDoWhatItSays() throws Exception {
    Iterator<String> lines = lines().iterator();
    run(lines, "/orders?item=book", 200);
    awaitAnswer(lines, "order 1: book");
    awaitAnswer(lines, "\"DONE\":1", "\"NEW\":0");

    run(lines, "/mail-server/break", 200);
    run(lines, "/orders?item=lamp", 200);
    awaitAnswer(lines, "\"DONE\":1", "\"RETRY\":1");

    run(lines, "/mail-server/repair", 200);
    awaitAnswer(lines, "order 1: book", "order 2: lamp");
    awaitAnswer(lines, "\"DONE\":2", "\"RETRY\":0");

    run(lines, "/orders/sold-out", 409);
    awaitAnswer(lines, "\"DONE\":2", "\"NEW\":0", "\"DEAD\":0");

    awaitAnswer(
        lines, "\"outbox.dispatch.success\":2", "\"types\":[\"OrderPlaced\"]", "\"inHand\":0");
    awaitAnswer(lines, "\"status\":\"UP\"", "\"outbox\":{");
    assertThat(lines.hasNext()).isFalse();
  }
}
