package outbox.spring.boot;

import static holdfast.testkit.db.DatabaseKind.H2;
import static holdfast.testkit.db.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.jdbc.core.JdbcTemplate;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcOutbox;

/** The endpoint over HTTP, in a whole application. */
class EndpointTest {

  private WebApp app;

  @BeforeEach
  void start(TestDatabase database) {
    app = WebApp.on(database, "management.endpoint.outbox.access=unrestricted");
    app.context().getBean(JdbcTemplate.class).update("DELETE FROM outbox_event");
    app.context()
        .getBean(JdbcTemplate.class)
        .update("UPDATE outbox_event_count SET accepted = 0, delivered = 0, lost = 0");
    app.context().getBean(JdbcOutbox.class).control().resumeAll();
  }

  @AfterEach
  void stop() {
    app.close();
  }

  private String publish(EventEnvelope event) {
    return Contexts.publish(app.context(), event);
  }

  private List<String> bury(String type, int events) throws Exception {
    app.shop().broken(true);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < events; i++) {
      ids.add(publish(EventEnvelope.ofJson(type, "{\"secret\":" + i + "}")));
    }
    for (String id : ids) {
      Eventually.await("dead", () -> Contexts.status(app.context(), id) == 3);
    }
    app.shop().broken(false);
    return ids;
  }

  private void awaitDone(String id) throws Exception {
    Eventually.await("done", () -> Contexts.status(app.context(), id) == 1);
  }

  @EachDatabase({H2, POSTGRESQL})
  void everyEventIsAccountedForAndTheNodeShowsItsNumbers() throws Exception {
    awaitDone(publish(EventEnvelope.ofJson("OrderPlaced", "{}")));
    bury("OrderPlaced", 1);
    Eventually.await("nothing in flight", () -> app.get("").body().contains("\"inFlight\":0"));

    assertThat(app.get("").body())
        .contains("\"accepted\":2,\"delivered\":1,\"held\":1")
        .contains("\"heldBy\":{\"new\":0,\"retry\":0,\"dead\":1}")
        .contains("\"lost\":0,\"lostBy\":{\"purged_dead\":0},\"inTransit\":0,\"unaccounted\":0")
        .contains("\"backlogAge\":\"PT0S\"")
        .contains("\"queues\":{\"hot\":0,\"cold\":0}", "\"oldestLag\":\"PT")
        .contains("\"outbox.dispatch.success\":1", "\"outbox.dispatch.dead\":1")
        .contains("\"types\":[\"OrderPaid\",\"OrderPlaced\"]")
        .doesNotContain("problem");
  }

  @EachDatabase({H2, POSTGRESQL})
  void deadEventsAreListedByFilterWithoutTheirPayloadAndPageByPage() throws Exception {
    List<String> placed = bury("OrderPlaced", 3);
    List<String> paid = bury("OrderPaid", 1);

    assertThat(app.get("/dead").body())
        .contains("\"count\":4")
        .contains(placed.get(0), paid.get(0), "the listener is broken", "\"attempts\":1")
        .doesNotContain("secret", "\"next\"");
    assertThat(app.get("/dead?type=OrderPaid").body())
        .contains("\"count\":1", paid.get(0))
        .doesNotContain(placed.get(0));
    String page = app.get("/dead?type=OrderPlaced&limit=2").body();
    assertThat(page).contains("\"next\":\"" + placed.get(1) + "\"").doesNotContain(placed.get(2));
    assertThat(app.get("/dead?type=OrderPlaced&limit=2&after=" + placed.get(1)).body())
        .contains(placed.get(2), "\"count\":3")
        .doesNotContain(placed.get(1), "\"next\"");
    assertThat(app.get("/dead?diedBefore=" + Instant.now().minusSeconds(3600)).body())
        .contains("\"count\":0", "\"events\":[]");
    assertThat(app.get("/dead?tenant=nobody").body()).contains("\"count\":0");
  }

  @EachDatabase({H2, POSTGRESQL})
  void oneIsRedeliveredOrAsManyOfThoseThatMatchAsAskedFor() throws Exception {
    List<String> placed = bury("OrderPlaced", 4);
    List<String> paid = bury("OrderPaid", 1);

    assertThat(app.post("/redeliver/" + placed.get(3), "").body())
        .isEqualTo("{\"redelivered\":1,\"dead\":4}");
    awaitDone(placed.get(3));
    assertThat(app.post("/redeliver/" + placed.get(3), "").body())
        .isEqualTo("{\"redelivered\":0,\"dead\":4}");

    assertThat(app.post("/redeliver", "{\"type\":\"OrderPlaced\",\"limit\":2}").body())
        .isEqualTo("{\"redelivered\":2,\"dead\":1}");
    awaitDone(placed.get(0));
    awaitDone(placed.get(1));
    assertThat(Contexts.status(app.context(), placed.get(2))).isEqualTo(3);

    assertThat(app.post("/redeliver", "").body()).isEqualTo("{\"redelivered\":2,\"dead\":0}");
    awaitDone(placed.get(2));
    awaitDone(paid.get(0));
  }

  @EachDatabase({H2, POSTGRESQL})
  void aTypeIsPausedAndResumed() throws Exception {
    assertThat(app.get("").body()).doesNotContain("paused");
    assertThat(app.post("/pause", "{\"type\":\"OrderPlaced\"}").body())
        .startsWith("{\"paused\":{\"OrderPlaced\":\"20");
    String placed = publish(EventEnvelope.ofJson("OrderPlaced", "{}"));
    awaitDone(publish(EventEnvelope.ofJson("OrderPaid", "{}")));
    assertThat(Contexts.status(app.context(), placed)).isZero();
    Eventually.await("no backlog", () -> app.get("").body().contains("\"backlogAge\":\"PT0S\""));
    assertThat(app.get("").body()).contains("\"paused\":{\"OrderPlaced\":\"20");
    assertThat(app.context().getBean(OutboxHealthIndicator.class).health().getDetails())
        .containsEntry("paused", Set.of("OrderPlaced"))
        .containsEntry("backlogAge", "PT0S");
    assertThat(app.post("/pause", "{\"type\":\"*\"}").body()).contains("\"*\":");
    assertThat(app.post("/resume", "{\"type\":\"OrderPlaced\"}").body())
        .contains("\"*\":")
        .doesNotContain("OrderPlaced");
    assertThat(app.post("/resume", "{\"type\":\"*\"}").body()).isEqualTo("{\"paused\":{}}");
    awaitDone(placed);
  }

  @EachDatabase({H2, POSTGRESQL})
  void waitingEventsAreListedPageByPage() throws Exception {
    JdbcTemplate sql = app.context().getBean(JdbcTemplate.class);
    List<String> ids = bury("OrderPlaced", 2);
    sql.update(
        "UPDATE outbox_event SET status = 2, failing_since = created_at,"
            + " available_at = TIMESTAMP '2100-01-01 00:00:00'");

    assertThat(app.get("/waiting").body())
        .contains("\"count\":2", ids.get(0), ids.get(1), "the listener is broken")
        .contains("\"nextTry\":\"2100-01-01T00:00:00Z\"", "\"failingSince\":\"20")
        .doesNotContain("secret", "\"next\"");
    assertThat(app.get("/waiting?type=OrderPaid").body()).contains("\"count\":0");
    String page = app.get("/waiting?type=OrderPlaced&limit=1").body();
    assertThat(page).contains("\"next\":\"" + ids.get(0) + "\"").doesNotContain(ids.get(1));
    assertThat(app.get("/waiting?limit=1&after=" + ids.get(0)).body()).contains(ids.get(1));
  }

  @EachDatabase({H2, POSTGRESQL})
  void purgeTakesWhatIsOldEnoughAndTheLedgerKeepsIt() throws Exception {
    awaitDone(publish(EventEnvelope.ofJson("OrderPlaced", "{}")));
    bury("OrderPlaced", 1);

    assertThat(app.delete("/done?olderThan=1d").body()).isEqualTo("{\"purged\":0}");
    assertThat(app.delete("/done?olderThan=0s").body()).isEqualTo("{\"purged\":1}");
    assertThat(app.delete("/dead?olderThan=P1D").body()).isEqualTo("{\"purged\":0}");
    assertThat(app.delete("/dead?olderThan=0s").body()).isEqualTo("{\"purged\":1}");
    assertThat(app.get("").body())
        .contains("\"accepted\":2,\"delivered\":1,\"held\":0")
        .contains("\"lost\":1,\"lostBy\":{\"purged_dead\":1},\"inTransit\":0,\"unaccounted\":0");
  }

  @EachDatabase(H2)
  void whatCannotBeIsRefusedWithTheReason() throws Exception {
    assertThat(app.get("/nothing").statusCode()).isEqualTo(404);
    assertThat(app.get("/dead?limit=0").statusCode()).isEqualTo(400);
    assertThat(app.get("/dead?limit=1001").body()).contains("limit must be 1 to 1000 but was 1001");
    assertThat(app.get("/dead?diedFrom=yesterday").statusCode()).isEqualTo(400);
    assertThat(app.post("/redeliver", "{\"limit\":10001}").statusCode()).isEqualTo(400);
    assertThat(app.post("/bury", "").body())
        .contains("the action must be redeliver or pause or resume but was 'bury'");
    assertThat(app.post("/pause", "").body())
        .contains("type must be that of the events, or * for all types");
    assertThat(app.post("/pause", "{\"type\":\" \"}").body())
        .contains("no white space at its ends");
    assertThat(app.get("/waiting?limit=0").statusCode()).isEqualTo(400);
    assertThat(app.delete("/dead").statusCode()).as("no olderThan").isEqualTo(400);
    assertThat(app.delete("/dead").body()).contains("olderThan must be given but was missing");
    assertThat(app.delete("/done?olderThan=-1s").body()).contains("must be zero or more");
    assertThat(app.delete("/new?olderThan=1s").body())
        .contains("what is purged must be done or dead but was 'new'");
  }

  @EachDatabase(H2)
  void unlessToldOtherwiseItCanOnlyBeLookedAt(TestDatabase database) throws Exception {
    String dead = bury("OrderPlaced", 1).get(0);
    try (WebApp readOnly = WebApp.on(database)) {
      assertThat(readOnly.get("").statusCode()).isEqualTo(200);
      assertThat(readOnly.get("/dead").body()).contains(dead);
      assertThat(readOnly.post("/redeliver", "").statusCode()).isIn(404, 405);
      assertThat(readOnly.post("/pause", "{\"type\":\"*\"}").statusCode()).isIn(404, 405);
      assertThat(readOnly.get("/waiting").body()).contains("\"count\":0");
      assertThat(readOnly.post("/redeliver/" + dead, "").statusCode()).isIn(404, 405);
      assertThat(readOnly.delete("/dead?olderThan=0s").statusCode()).isIn(404, 405);
      assertThat(Contexts.status(readOnly.context(), dead)).isEqualTo(3);
    }
  }

  @EachDatabase(H2)
  void withoutItsTableTheNodesNumbersAreStillThere() throws Exception {
    JdbcTemplate sql = app.context().getBean(JdbcTemplate.class);
    sql.execute("ALTER TABLE outbox_event RENAME TO hidden");
    try {
      assertThat(app.get("").statusCode()).isEqualTo(200);
      assertThat(app.get("").body())
          .contains("\"problem\":\"outbox could not", "\"queues\":{\"hot\":0,\"cold\":0}")
          .doesNotContain("accepted");
    } finally {
      sql.execute("ALTER TABLE hidden RENAME TO outbox_event");
    }
  }
}
