package eventbus.spring.boot;

import static holdfast.testkit.db.DatabaseKind.H2;
import static org.assertj.core.api.Assertions.assertThat;

import eventbus.Event;
import eventbus.EventBus;
import eventbus.LogFilter;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.JdbcTemplate;

/** The endpoint over HTTP, in a whole application. */
@Timeout(120)
class EndpointTest {

  private WebApp app;
  private EventBus bus;

  @BeforeEach
  void start(TestDatabase database) {
    app = WebApp.on(database, "management.endpoint.eventbus.access=unrestricted");
    bus = app.context().getBean(EventBus.class);
    JdbcTemplate sql = app.context().getBean(JdbcTemplate.class);
    sql.update("DELETE FROM events");
    sql.update("DELETE FROM event_log");
    sql.update("UPDATE events_count SET accepted = 0, delivered = 0, lost = 0");
    bus.control().resumeAll();
  }

  @AfterEach
  void stop() {
    app.close();
  }

  private List<Long> fail(String type, int events) {
    app.shop().broken(true);
    List<Long> ids = bus.publishAll(Collections.nCopies(events, Event.of(type, "secret")));
    ids.forEach(id -> awaitLogged(id, "FAILED"));
    app.shop().broken(false);
    return ids;
  }

  private long complete(String type) {
    long id = bus.publish(Event.of(type, "{}"));
    awaitLogged(id, "COMPLETED");
    return id;
  }

  private void awaitLogged(long id, String status) {
    Eventually.await(status, () -> Contexts.logged(app.context(), id).equals(status));
  }

  @EachDatabase
  void everyEventIsAccountedForAndTheBacklogIsShownByType() throws Exception {
    complete("OrderPlaced");
    fail("OrderPlaced", 1);
    bus.publish(Event.of("Unknown", "{}"));
    // Counts follow what is in the table, on another thread.
    Eventually.await("counted", () -> bus.counts().completed() == 1 && bus.counts().failed() == 1);
    Eventually.await("nothing in flight", () -> bus.inFlight() == 0);

    assertThat(app.get("").body())
        .contains("\"accepted\":3,\"delivered\":1,\"held\":2")
        .contains("\"heldBy\":{\"pending\":1,\"processing\":0,\"failed\":1}")
        .contains("\"lost\":0,\"lostBy\":{\"purged_failed\":0},\"inTransit\":0,\"unaccounted\":0")
        .contains("\"backlog\":{\"depth\":1,\"due\":1,\"unhandled\":1,\"oldest\":\"PT")
        .contains("{\"type\":\"Unknown\",\"pending\":1,\"processing\":0,\"due\":1,\"oldest\":\"PT")
        .contains("\"handled\":false", "\"lag\":\"PT0S\"", "\"inFlight\":0")
        .contains("\"completed\":1,\"failed\":1", "\"types\":[\"OrderPaid\",\"OrderPlaced\"]")
        .doesNotContain("problem", "secret");
  }

  @EachDatabase
  void failedEventsAreListedByFilterWithoutTheirPayloadAndPageByPage() throws Exception {
    List<Long> placed = fail("OrderPlaced", 3);
    long paid = fail("OrderPaid", 1).get(0);
    complete("OrderPaid");

    assertThat(app.get("/failed").body())
        .contains("\"count\":4")
        .contains("\"id\":" + placed.get(0) + ",", "\"id\":" + paid + ",", "the handler is broken")
        .contains("\"attempts\":1", "\"status\":\"FAILED\"")
        .doesNotContain("secret", "\"next\"", "COMPLETED");
    assertThat(app.get("/failed?type=OrderPaid").body())
        .contains("\"count\":1", "\"id\":" + paid + ",")
        .doesNotContain("OrderPlaced");
    List<Long> latestFirst =
        bus.log().list(LogFilter.FAILED.type("OrderPlaced"), 3).stream().map(l -> l.id()).toList();
    assertThat(latestFirst).containsExactlyInAnyOrderElementsOf(placed);
    String page = app.get("/failed?type=OrderPlaced&limit=2").body();
    assertThat(page)
        .contains("\"next\":" + latestFirst.get(1))
        .doesNotContain("\"id\":" + latestFirst.get(2) + ",");
    assertThat(app.get("/failed?type=OrderPlaced&limit=2&after=" + latestFirst.get(1)).body())
        .contains("\"id\":" + latestFirst.get(2) + ",", "\"count\":3")
        .doesNotContain("\"id\":" + latestFirst.get(1) + ",", "\"next\"");
    Instant anHourAgo = Instant.now().minusSeconds(3600);
    assertThat(app.get("/failed?finishedBefore=" + anHourAgo).body())
        .contains("\"count\":0", "\"events\":[]");
    assertThat(app.get("/failed?finishedFrom=" + anHourAgo).body()).contains("\"count\":4");
  }

  @EachDatabase
  void aTypeIsPausedAndResumed() throws Exception {
    assertThat(app.get("").body()).doesNotContain("paused");
    assertThat(app.post("/pause", "{\"type\":\"OrderPlaced\"}").body())
        .startsWith("{\"paused\":{\"OrderPlaced\":\"20");
    long placed = bus.publish(Event.of("OrderPlaced", "{}"));
    complete("OrderPaid");
    assertThat(bus.log().find(placed)).isEmpty();
    assertThat(app.get("").body()).contains("\"paused\":{\"OrderPlaced\":\"20", "\"lag\":\"PT0S\"");
    assertThat(app.context().getBean(EventBusHealthIndicator.class).health().getDetails())
        .containsEntry("paused", Set.of("OrderPlaced"))
        .containsEntry("lag", "PT0S");
    assertThat(app.post("/pause", "{\"type\":\"*\"}").body()).contains("\"*\":");
    assertThat(app.post("/resume", "{\"type\":\"OrderPlaced\"}").body())
        .contains("\"*\":")
        .doesNotContain("OrderPlaced");
    assertThat(app.post("/resume", "{\"type\":\"*\"}").body()).isEqualTo("{\"paused\":{}}");
    awaitLogged(placed, "COMPLETED");
  }

  @EachDatabase
  void waitingEventsAreListedPageByPage() throws Exception {
    Instant far = Instant.parse("2100-01-01T00:00:00Z"); // so that nobody ever claims them
    Event event = Event.builder("OrderPlaced").payload("secret").availableAt(far).build();
    List<Long> ids = bus.publishAll(Collections.nCopies(2, event));
    app.context()
        .getBean(JdbcTemplate.class)
        .update(
            "UPDATE events SET failures = 1, failing_since = created_at, last_error = 'broken'");

    assertThat(app.get("/waiting").body())
        .contains("\"count\":2", "\"id\":" + ids.get(0) + ",", "\"id\":" + ids.get(1) + ",")
        .contains("\"nextTry\":\"2100-01-01T00:00:00Z\"", "\"lastError\":\"broken\"")
        .contains("\"failures\":1", "\"failingSince\":\"20")
        .doesNotContain("secret", "\"next\"");
    assertThat(app.get("/waiting?type=OrderPaid").body()).contains("\"count\":0");
    String page = app.get("/waiting?type=OrderPlaced&limit=1").body();
    assertThat(page).contains("\"next\":" + ids.get(0));
    assertThat(app.get("/waiting?limit=1&after=" + ids.get(0)).body())
        .contains("\"id\":" + ids.get(1) + ",");
  }

  @EachDatabase
  void oneIsPublishedAgainOnceHoweverOftenItIsAskedFor() throws Exception {
    long failed = fail("OrderPlaced", 1).get(0);

    String first = app.post("/republish/" + failed).body();
    Long made = bus.log().find(failed).orElseThrow().republishedAs();
    assertThat(first)
        .isEqualTo("{\"id\":%d,\"republishedAs\":%d,\"now\":true}".formatted(failed, made));
    awaitLogged(made, "COMPLETED");
    assertThat(app.post("/republish/" + failed, "").body())
        .isEqualTo("{\"id\":%d,\"republishedAs\":%d,\"now\":false}".formatted(failed, made));
    assertThat(bus.ledger().accepted()).isEqualTo(2);
  }

  @EachDatabase
  void asManyOfThoseThatMatchArePublishedAgainAsAskedFor() throws Exception {
    fail("OrderPlaced", 3);
    fail("OrderPaid", 1);

    assertThat(app.post("/republish", "{\"type\":\"OrderPlaced\",\"limit\":2}").body())
        .isEqualTo("{\"republished\":2,\"complete\":false}");
    assertThat(app.post("/republish", "{\"type\":\"OrderPlaced\",\"limit\":2}").body())
        .isEqualTo("{\"republished\":1,\"complete\":true}");
    assertThat(app.post("/republish", "").body())
        .isEqualTo("{\"republished\":1,\"complete\":true}");
    assertThat(app.post("/republish", "").body())
        .isEqualTo("{\"republished\":0,\"complete\":true}");
    Eventually.await("all done", () -> bus.ledger().delivered() == 4);
  }

  @EachDatabase
  void purgeTakesWhatIsOldEnoughAndTheLedgerKeepsIt() throws Exception {
    complete("OrderPlaced");
    fail("OrderPlaced", 1);

    assertThat(app.delete("/completed?olderThan=1d").body())
        .isEqualTo("{\"purged\":0,\"complete\":true}");
    assertThat(app.delete("/completed?olderThan=0s").body())
        .isEqualTo("{\"purged\":1,\"complete\":true}");
    assertThat(app.delete("/failed?olderThan=P1D").body())
        .isEqualTo("{\"purged\":0,\"complete\":true}");
    assertThat(app.delete("/failed?olderThan=0s&limit=1").body())
        .isEqualTo("{\"purged\":1,\"complete\":false}");
    assertThat(app.get("").body())
        .contains("\"accepted\":2,\"delivered\":1,\"held\":0")
        .contains("\"lost\":1,\"lostBy\":{\"purged_failed\":1},\"inTransit\":0,\"unaccounted\":0");
  }

  @EachDatabase(H2)
  void whatCannotBeIsRefusedWithTheReason() throws Exception {
    assertThat(app.get("/nothing").statusCode()).isEqualTo(404);
    assertThat(app.get("/failed?limit=0").statusCode()).isEqualTo(400);
    assertThat(app.get("/failed?limit=1001").body())
        .contains("limit must be 1 to 1000 but was 1001");
    assertThat(app.get("/failed?after=4711").body())
        .contains("after must be an event of the log but 4711 is not");
    assertThat(app.get("/failed?finishedFrom=yesterday").statusCode()).isEqualTo(400);
    assertThat(app.post("/republish", "{\"limit\":10001}").statusCode()).isEqualTo(400);
    assertThat(app.post("/republish/4711", "").body())
        .contains("id must be an event of the log but 4711 is not");
    assertThat(app.post("/republish/first", "").statusCode()).isEqualTo(400);
    assertThat(app.post("/fail", "").body())
        .contains("the action must be republish or pause or resume but was 'fail'");
    assertThat(app.post("/pause", "").body())
        .contains("type must be that of the events, or * for all types");
    assertThat(app.post("/pause", "{\"type\":\" \"}").body())
        .contains("no white space at its ends");
    assertThat(app.get("/waiting?limit=0").statusCode()).isEqualTo(400);
    assertThat(app.delete("/failed").statusCode()).as("no olderThan").isEqualTo(400);
    assertThat(app.delete("/failed").body()).contains("olderThan must be given but was missing");
    assertThat(app.delete("/failed?olderThan=-1s").body()).contains("must be zero or more");
    assertThat(app.delete("/failed?olderThan=1s&limit=100001").statusCode()).isEqualTo(400);
    assertThat(app.delete("/pending?olderThan=1s").body())
        .contains("what is purged must be completed or failed but was 'pending'");
  }

  @EachDatabase(H2)
  void unlessToldOtherwiseItCanOnlyBeLookedAt(TestDatabase database) throws Exception {
    long failed = fail("OrderPlaced", 1).get(0);
    try (WebApp readOnly = WebApp.on(database)) {
      assertThat(readOnly.get("").statusCode()).isEqualTo(200);
      assertThat(readOnly.get("/failed").body()).contains("\"id\":" + failed + ",");
      assertThat(readOnly.post("/republish", "").statusCode()).isIn(404, 405);
      assertThat(readOnly.post("/republish/" + failed, "").statusCode()).isIn(404, 405);
      assertThat(readOnly.delete("/failed?olderThan=0s").statusCode()).isIn(404, 405);
      assertThat(bus.log().find(failed).orElseThrow().republishedAs()).isNull();
    }
  }

  @EachDatabase(H2)
  void withoutItsTableTheNodesNumbersAreStillThere() throws Exception {
    JdbcTemplate sql = app.context().getBean(JdbcTemplate.class);
    sql.execute("ALTER TABLE event_log RENAME TO hidden");
    try {
      assertThat(app.get("").statusCode()).isEqualTo(200);
      assertThat(app.get("").body())
          .contains("\"problem\":\"event bus could not", "\"inFlight\":0", "\"counts\":{")
          .doesNotContain("accepted");
    } finally {
      sql.execute("ALTER TABLE hidden RENAME TO event_log");
    }
  }

  @EachDatabase(H2)
  void theHealthOfTheWholeApplicationShowsTheBus() throws Exception {
    assertThat(app.health().body())
        .contains("\"eventbus\":{\"details\":{\"maxLag\":\"PT5M\",\"lag\":\"PT0S\"");
  }
}
