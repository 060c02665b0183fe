package eventbus.spring.boot;

import eventbus.Event;
import eventbus.EventBus;
import holdfast.spring.boot.PayloadsAutoConfiguration;
import holdfast.spring.test.DatabaseApps;
import java.util.List;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Applications for tests: the starter above an embedded database of its own. */
final class Contexts {

  private Contexts() {}

  static ApplicationContextRunner runner() {
    return DatabaseApps.with(
        TransactionManagerCustomizationAutoConfiguration.class,
        PayloadsAutoConfiguration.class,
        EventBusAutoConfiguration.class,
        EventBusEndpointAutoConfiguration.class,
        EventBusHealthAutoConfiguration.class,
        EventBusMetricsAutoConfiguration.class,
        EventBusMissingAutoConfiguration.class);
  }

  static EventBus bus(ApplicationContext context) {
    return context.getBean(EventBus.class);
  }

  static long publish(ApplicationContext context, String type) {
    return bus(context).publish(Event.of(type, "{}"));
  }

  /** An event published so many seconds ago, by the database's clock. */
  static long publishedBefore(ApplicationContext context, String type, long seconds) {
    long id = bus(context).publish(Event.of(type, "{}"));
    sql(context)
        .update(
            "UPDATE events SET available_at = DATEADD(SECOND, -?, available_at),"
                + " created_at = DATEADD(SECOND, -?, created_at) WHERE id = ?",
            seconds,
            seconds,
            id);
    return id;
  }

  static JdbcTemplate sql(ApplicationContext context) {
    return context.getBean(JdbcTemplate.class);
  }

  static int rows(ApplicationContext context, String table) {
    return sql(context).queryForObject("SELECT COUNT(*) FROM " + table, Integer.class);
  }

  /** What the log says of an event; nothing while it is not closed. */
  static String logged(ApplicationContext context, long id) {
    return bus(context).log().find(id).map(line -> line.status().name()).orElse("nothing");
  }

  /** A column of an event that is to be worked on; nothing if it is closed. */
  static String column(ApplicationContext context, long id, String column) {
    List<String> found =
        sql(context)
            .queryForList("SELECT " + column + " FROM events WHERE id = ?", String.class, id);
    return found.isEmpty() ? "nothing" : String.valueOf(found.get(0));
  }

  /** How long until the event is due, or its claim ends, by the database's clock. */
  static long minutesUntilDue(ApplicationContext context, long id) {
    return sql(context)
        .queryForObject(
            "SELECT DATEDIFF(SECOND, CURRENT_TIMESTAMP AT TIME ZONE 'UTC', available_at) / 60"
                + " FROM events WHERE id = ?",
            Long.class,
            id);
  }
}
