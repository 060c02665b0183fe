package holdfast.verification.firsthour.app;

import static org.assertj.core.api.Assertions.assertThat;

import eventbus.EventBus;
import eventlog.AsyncEventLogger;
import eventlog.testkit.EventLogServer;
import failover.Failovers;
import failover.Failovers.PointCounts;
import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import holdfast.verification.firsthour.app.OrderController.Receipt;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import outbox.jdbc.JdbcOutbox;
import tracer.Tracer;

/**
 * A whole application with the starters of all libraries takes orders while its pool replaces all
 * connections, again and again: no request fails, nothing is logged as trouble, and every order is
 * found at the other end once.
 */
@Timeout(600)
@ExtendWith(OutputCaptureExtension.class)
class EvictedConnectionsTest {
  private static final int CUSTOMERS = 8;
  private static final int ORDERS = 2_400;
  private static final int EVICTIONS = 120;
  private static final int ITEMS = 20;
  private static final int ALL = ITEMS + ORDERS;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Pattern TROUBLE = Pattern.compile("^\\S+ +(WARN|ERROR) ");
  private static final String SUPPLIER_FAILS =
      " : failover source fails, calls get stored answers where there are some name=price ";
  private static final String NEW_H2 =
      " which is newer than the version Flyway has been verified with";

  @TempDir Path directory;

  private final Queue<Receipt> receipts = new ConcurrentLinkedQueue<>();
  private int served; // orders under load; guarded by this
  private int evictions; // guarded by this

  @EachDatabase
  void noErrorAndEverythingIsAccountedFor(TestDatabase database, CapturedOutput output)
      throws Exception {
    try (EventLogServer eventLog = EventLogServer.start()) {
      try (Shop shop = Shop.start(database, eventLog.uri(), directory)) {
        orderEachItemOnce(shop);
        shop.bean(Supplier.class).becomeUnreliable();
        orderUnderLoad(shop);
        awaitRest(shop);

        assertConnectionsWereReplaced(shop);
        assertRows(shop);
        assertKeptAnswers(shop);
        assertReceivedOnce(eventLog);
        assertLedgers(shop);
        assertTraced(shop);
        assertHealthOfEach(shop);
      }
    }
    assertThat(output.toString().lines().filter(line -> TROUBLE.matcher(line).find()))
        .as("what the test causes, what Flyway says of H2, and nothing else")
        .anyMatch(line -> line.contains(SUPPLIER_FAILS))
        .allMatch(line -> line.contains(SUPPLIER_FAILS) || line.contains(NEW_H2));
  }

  /** So that there is a stored answer for each. */
  private void orderEachItemOnce(Shop shop) {
    for (int item = 0; item < ITEMS; item++) {
      receipts.add(shop.order("item " + item));
    }
  }

  private void orderUnderLoad(Shop shop) throws Exception {
    AtomicInteger next = new AtomicInteger();
    Together.runAll(
        CUSTOMERS,
        () -> {
          for (int n = next.getAndIncrement(); n < ORDERS; n = next.getAndIncrement()) {
            receipts.add(shop.order("item " + n % ITEMS));
            evictNowAndThen(shop);
          }
        });
  }

  /** In turns, so that there are as many orders between any two evictions. */
  private synchronized void evictNowAndThen(Shop shop) {
    served++;
    if (served % (ORDERS / EVICTIONS) == 0) {
      shop.evictConnections();
      evictions++;
    }
  }

  private static void awaitRest(Shop shop) throws Exception {
    AsyncEventLogger log = shop.bean(AsyncEventLogger.class);
    await("all orders to be logged", () -> isAtRest(log.ledger()));
    await("all events to be done", () -> shop.rows("outbox_event WHERE status = 1") >= ALL);
    await("all events to leave the bus", () -> shop.rows("events") == 0);
    await("all prices to be stored", () -> shop.rows("FAILOVER_STORE") >= ITEMS);
    for (String meter : List.of("outbox.dispatch.success", "eventbus.completed")) {
      await(meter, () -> shop.getOther("metrics/" + meter).body().contains(":" + ALL + ".0"));
    }
    await("the application to be healthy", () -> shop.health().statusCode() == 200);
  }

  private static <X extends Exception> void await(String what, Eventually.Condition<X> condition)
      throws X {
    Eventually.await(what, PATIENCE, condition);
  }

  private synchronized void assertConnectionsWereReplaced(Shop shop) {
    assertThat(evictions).isEqualTo(EVICTIONS);
    assertThat(shop.meters().get("hikaricp.connections.creation").timer().count())
        .isGreaterThanOrEqualTo(EVICTIONS);
  }

  private static void assertRows(Shop shop) {
    assertThat(shop.bean(Flyway.class).info().applied()).hasSize(Migrations.count());
    assertThat(shop.rows("shop_order")).isEqualTo(ALL);
    assertThat(shop.rows("outbox_event")).isEqualTo(ALL);
    assertThat(shop.rows("outbox_event WHERE status = 1")).isEqualTo(ALL);
    assertThat(shop.rows("outbox_inbox")).isEqualTo(ALL);
    assertThat(shop.rows("events")).isZero();
    assertThat(shop.rows("event_log")).isEqualTo(ALL);
    assertThat(shop.rows("event_log WHERE status = 'COMPLETED'")).isEqualTo(ALL);
    assertThat(shop.rows("FAILOVER_STORE")).isEqualTo(ITEMS);
  }

  private void assertKeptAnswers(Shop shop) {
    Supplier supplier = shop.bean(Supplier.class);
    PointCounts counts = shop.bean(Failovers.class).counts().get("price");
    long kept = receipts.stream().filter(Receipt::kept).count();

    assertThat(kept).isEqualTo(ORDERS / Supplier.FAILS_EVERY).isEqualTo(supplier.failures());
    assertThat(supplier.answers()).isEqualTo(ALL - (int) kept);
    assertThat(counts.recovered()).isEqualTo(kept);
    assertThat(counts.live()).isEqualTo(ALL - kept);
    assertThat(counts.stored()).isEqualTo(ALL - kept);
    assertThat(counts.storeFailures()).isZero();
  }

  private void assertReceivedOnce(EventLogServer eventLog) {
    List<String> orders = receipts.stream().map(Receipt::order).toList();

    assertThat(orders).hasSize(ALL);
    assertThat(eventLog.copies())
        .containsOnlyKeys(orders)
        .allSatisfy((order, copies) -> assertThat(copies).isOne());
  }

  private static void assertLedgers(Shop shop) {
    assertThat(
            List.of(
                shop.bean(JdbcOutbox.class).ledger(),
                shop.bean(EventBus.class).ledger(),
                shop.bean(AsyncEventLogger.class).ledger(),
                shop.bean(Failovers.class).ledger()))
        .allMatch(EvictedConnectionsTest::isAtRest);
  }

  /** Spans of requests at least, none of them dropped. */
  private static void assertTraced(Shop shop) throws InterruptedException {
    Tracer tracer = shop.bean(Tracer.class);
    assertThat(tracer.flush(PATIENCE)).isTrue();

    LedgerSnapshot ledger = tracer.ledger();
    assertThat(ledger.delivered()).isGreaterThan(ALL);
    assertThat(ledger.lost()).isZero();
  }

  /** Whether as many events were delivered as there were orders, and nothing else is counted. */
  private static boolean isAtRest(LedgerSnapshot ledger) {
    String all = " accepted=%d delivered=%d held=0 lost=0 unaccounted=0".formatted(ALL, ALL);
    return ledger.toLine().equals(ledger.library() + all);
  }

  /** The status is awaited; here, that each library is part of it. */
  private static void assertHealthOfEach(Shop shop) throws Exception {
    assertThat(shop.health().body())
        .contains("\"outbox\":{", "\"eventbus\":{", "\"eventlog\":{", "\"failover\":{", "\"db\":{");
  }
}
