package outbox.spring.boot;

import holdfast.spring.boot.PayloadsAutoConfiguration;
import holdfast.spring.test.DatabaseApps;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.OutboxClient;

/** Applications for tests: the starter above an embedded database of its own. */
final class Contexts {
  static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

  private Contexts() {}

  static ApplicationContextRunner runner() {
    return DatabaseApps.with(
        PayloadsAutoConfiguration.class,
        OutboxAutoConfiguration.class,
        OutboxEndpointAutoConfiguration.class,
        OutboxHealthAutoConfiguration.class,
        OutboxMetricsAutoConfiguration.class,
        OutboxMissingAutoConfiguration.class,
        OutboxTracingAutoConfiguration.class);
  }

  static String publish(ApplicationContext context, EventEnvelope event) {
    return context
        .getBean(TransactionTemplate.class)
        .execute(tx -> context.getBean(OutboxClient.class).publish(event));
  }

  static String publish(ApplicationContext context, String type, String json) {
    return publish(context, EventEnvelope.ofJson(type, json));
  }

  /** A row as another node would leave it: due, and in nobody's hands. */
  static String insertRow(ApplicationContext context, String type) {
    return insertRow(context, type, LONG_AGO);
  }

  static String insertRow(ApplicationContext context, String type, Instant dueAt) {
    return insertRow(context, "outbox_event", type, dueAt);
  }

  static String insertRow(ApplicationContext context, String table, String type, Instant dueAt) {
    EventEnvelope event = EventEnvelope.ofJson(type, "{}");
    context
        .getBean(JdbcTemplate.class)
        .update(
            "INSERT INTO "
                + table
                + " (event_id, event_type, payload, status, attempts, available_at, created_at)"
                + " VALUES (?, ?, JSON '{}', 0, 0, ?, ?)",
            event.eventId(),
            type,
            LocalDateTime.ofInstant(dueAt, ZoneOffset.UTC),
            LocalDateTime.ofInstant(dueAt, ZoneOffset.UTC));
    return event.eventId();
  }

  static int status(ApplicationContext context, String eventId) {
    return number(context, eventId, "status");
  }

  static int number(ApplicationContext context, String eventId, String column) {
    return context
        .getBean(JdbcTemplate.class)
        .queryForObject(
            "SELECT " + column + " FROM outbox_event WHERE event_id = ?", Integer.class, eventId);
  }

  /** How long until the event is due, by the database's clock. */
  static long minutesUntilDue(ApplicationContext context, String eventId) {
    return context
        .getBean(JdbcTemplate.class)
        .queryForObject(
            "SELECT DATEDIFF(SECOND, CURRENT_TIMESTAMP AT TIME ZONE 'UTC', available_at) / 60"
                + " FROM outbox_event WHERE event_id = ?",
            Long.class,
            eventId);
  }
}
