package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import eventlog.spi.Answer;
import holdfast.testkit.process.ChildJvm;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How fast events are sent to an API that takes 50 ms for each request. */
@Timeout(180)
class SlowApiTest {
  private static final byte[] KEY = "\"idempotencyKey\"".getBytes(StandardCharsets.US_ASCII);
  private static final int EVENT_BYTES = 716;

  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong received = new AtomicLong();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ScheduledExecutorService later = Executors.newScheduledThreadPool(2);
  private HttpServer server;

  @TempDir Path directory;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answerLater);
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
    later.shutdownNow();
  }

  private void answerLater(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    received.addAndGet(events(exchange));
    later.schedule(() -> answer(exchange), 50, TimeUnit.MILLISECONDS);
  }

  private static long events(HttpExchange exchange) throws IOException {
    boolean packed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
    InputStream body = exchange.getRequestBody();
    byte[] bytes = (packed ? new GZIPInputStream(body) : body).readAllBytes();
    long found = 0;
    for (int i = 0; i < bytes.length - KEY.length; i++) {
      int same = 0;
      while (same < KEY.length && bytes[i + same] == KEY[same]) {
        same++;
      }
      found += same == KEY.length ? 1 : 0;
    }
    return found;
  }

  private void answer(HttpExchange exchange) {
    try (exchange) {
      byte[] body = "{\"success\":true}".getBytes(StandardCharsets.US_ASCII);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    } catch (IOException e) {
      requests.set(Long.MIN_VALUE); // an answer that did not arrive would make the figures wrong
    }
  }

  /** At most one request for 400 events: at 50 ms that is 8,000 events a second and more. */
  @Test
  void aLargeFileIsSentInFewRequestsAndLittleMemory() throws InterruptedException {
    int events = 60_000;

    replay(events, "-Xmx32m", Duration.ofSeconds(150));

    assertThat(requests.get()).isBetween(1L, events / 400L);
  }

  @Test
  @Tag("long")
  @Timeout(900)
  void aGibibyteIsSentAtFiveThousandEventsASecondWithSixtyFourMegabytes()
      throws InterruptedException {
    int events = (1 << 30) / EVENT_BYTES + 1;

    long millis = replay(events, "-Xmx64m", Duration.ofMinutes(14));

    System.out.printf(
        "Replay at 50 ms, 64 MB heap: %,d events in %,d ms, %,d requests%n",
        events, millis, requests.get());
    assertThat(events * 1000L / millis).as("events a second").isGreaterThanOrEqualTo(5000);
  }

  @Test
  @Tag("long")
  void twoThousandFiveHundredLiveEventsASecondLoseNothing() throws InterruptedException {
    int ticks = 3000;
    CountDownLatch logged = new CountDownLatch(ticks);
    AtomicLong deepest = new AtomicLong();
    try (HttpEventLogClient http = HttpEventLogClient.builder(uri()).build();
        AsyncEventLogger logger = AsyncEventLogger.builder().client(http).build()) {
      later.scheduleAtFixedRate(
          () -> {
            if (logged.getCount() > 0) {
              logger.log(Events.events("e" + logged.getCount(), 25));
              deepest.accumulateAndGet(logger.queueDepth(), Math::max);
              logged.countDown();
            }
          },
          0,
          10,
          TimeUnit.MILLISECONDS);
      assertThat(logged.await(150, TimeUnit.SECONDS)).isTrue();
      assertThat(logger.flush(Duration.ofSeconds(20))).isTrue();

      assertThat(logger.ledger().lost()).as(logger.ledger().toLine()).isZero();
      assertThat(received.get()).isEqualTo(25L * ticks);
      System.out.printf(
          "Live at 50 ms, 2,500 events a second: %s, %d requests, %d in the queue at most%n",
          logger.ledger().toLine(), requests.get(), deepest.get());
    }
  }

  private URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** How many milliseconds the replay took. */
  private long replay(int events, String heap, Duration patience) throws InterruptedException {
    String[] args = {directory.toString(), Integer.toString(events), uri().toString()};
    try (ChildJvm child =
        ChildJvm.of(ReplayApp.class, args).jvmOptions(heap, "-XX:+UseSerialGC").start()) {
      assertThat(child.awaitExit(patience)).as(child.errors()).isZero();
      assertThat(received.get()).isEqualTo(events);
      String last = child.lines().get(child.lines().size() - 1);
      assertThat(last).startsWith("replayed in ms ");
      return Long.parseLong(last.substring("replayed in ms ".length()));
    }
  }

  /** Writes events to disk while its API is down, and sends them when it is up. */
  static final class ReplayApp {
    private ReplayApp() {}

    public static void main(String... args) throws Exception {
      Path directory = Path.of(args[0]);
      int count = Integer.parseInt(args[1]);
      AtomicBoolean down = new AtomicBoolean(true);
      CountDownLatch all = new CountDownLatch(count);
      try (HttpEventLogClient http = HttpEventLogClient.builder(URI.create(args[2])).build();
          AsyncEventLogger logger = logger(directory, http, down, all)) {
        String payload = "x".repeat(EVENT_BYTES - 300);
        for (int i = 0; i < count; i++) {
          if (!logger.log(Events.builder("e-" + i).requestPayload(payload).build())) {
            throw new IllegalStateException("lost " + logger.ledger().toLine());
          }
          if (i % 1000 == 0) {
            logger.flush(Duration.ofSeconds(20));
          }
        }
        logger.flush(Duration.ofSeconds(20));
        long size = size(directory, "eventlog-spillover.jsonl");
        if (size + size(directory, "eventlog-spillover.replay.jsonl") < 0.9 * count * EVENT_BYTES) {
          throw new IllegalStateException("only " + size + " " + logger.ledger().toLine());
        }
        long startedAt = System.nanoTime();
        down.set(false);
        all.await();
        System.out.println(
            "replayed in ms " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAt));
      }
    }

    private static AsyncEventLogger logger(
        Path directory, HttpEventLogClient http, AtomicBoolean down, CountDownLatch all) {
      return AsyncEventLogger.builder()
          .client(
              events -> {
                if (down.get()) {
                  return Answer.later("down", null);
                }
                Answer answer = http.send(events);
                if (answer.hasTakenSomeOf(events.size())) {
                  events.forEach(event -> all.countDown());
                }
                return answer;
              })
          .spilloverPath(directory)
          .maxSpilloverEvents(Long.MAX_VALUE)
          .maxSpilloverSizeBytes(Long.MAX_VALUE)
          .maxRetries(0)
          .circuitBreakerThreshold(1)
          .circuitBreakerReset(Duration.ofMillis(200))
          .replayIntervalMs(100)
          .registerShutdownHook(false)
          .build();
    }

    private static long size(Path directory, String file) throws IOException {
      Path path = directory.resolve(file);
      return Files.exists(path) ? Files.size(path) : 0;
    }
  }
}
