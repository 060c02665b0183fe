package chaos.outbox;

import chaos.Signals;
import holdfast.testkit.process.Acknowledged;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcTransactionManager;

/**
 * Publishes events, each in one transaction with a business row of the same id: the row is there if
 * and only if the transaction was committed, whatever the publisher came to know of it. One
 * transaction in ten is rolled back. Confined to one thread.
 *
 * <p>An ordered event carries the version of its aggregate, taken from a business row that stays
 * locked until the commit: the order of versions is the order of commits.
 */
final class Publisher implements Callable<Void> {
  static final String COMMITTED = "committed";
  static final String ROLLED_BACK = "rolled-back";
  static final String UNKNOWN = "unknown";

  private static final int MOST_PER_TRANSACTION = 3;
  private static final String INSERT_ORDER = "INSERT INTO business_order (event_id) VALUES (?)";
  private static final String UNFILLED =
      "SELECT id FROM business_aggregate WHERE version < ? ORDER BY random() LIMIT 1";
  private static final String NEXT_VERSION =
      """
      UPDATE business_aggregate SET version = version + 1 WHERE id = ? AND version < ?
      RETURNING version
      """;

  private final JdbcOutbox outbox;
  private final NodeSettings settings;
  private final Signals signals;
  private final Random random;

  Publisher(JdbcOutbox outbox, NodeSettings settings, Signals signals, Random random) {
    this.outbox = outbox;
    this.settings = settings;
    this.signals = signals;
    this.random = random;
  }

  @Override
  public Void call() throws InterruptedException {
    Alarm alarm = TimeSource.system().newAlarm();
    int share = settings.events() / settings.publishers();
    int published = 0;
    boolean more = true;
    while (more && published < share && !signals.isGiven(NodeSettings.STOP)) {
      List<EventEnvelope> events = new ArrayList<>();
      try {
        more = transact(events);
        published += events.size();
      } catch (OutboxException | SQLException e) {
        // What became of the transaction is for the business rows to tell.
        say(UNKNOWN, events);
      }
      alarm.await(settings.pause());
    }
    return null;
  }

  /** Publishes once; false if nothing is left to publish. Empties the list if it rolled back. */
  private boolean transact(List<EventEnvelope> events) throws SQLException {
    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      if (settings.versions() > 0) {
        EventEnvelope next = nextOfAnAggregate(tx.connection());
        if (next == null) {
          return false;
        }
        events.add(next);
      } else {
        for (int i = random.nextInt(MOST_PER_TRANSACTION); i >= 0; i--) {
          events.add(EventEnvelope.ofJson("T", "0"));
        }
      }
      for (EventEnvelope event : events) {
        insertOrder(tx.connection(), event.eventId());
        outbox.publish(event);
      }
      if (random.nextInt(10) == 0) {
        tx.rollback();
        say(ROLLED_BACK, events);
        events.clear();
      } else {
        tx.commit();
        say(COMMITTED, events);
      }
      return true;
    }
  }

  private @Nullable EventEnvelope nextOfAnAggregate(Connection conn) throws SQLException {
    int version = 0;
    int aggregate = -1;
    while (version == 0) { // another publisher may have been quicker with the last version
      aggregate = number(conn, UNFILLED, settings.versions());
      if (aggregate < 0) {
        return null;
      }
      version = Math.max(0, number(conn, NEXT_VERSION, aggregate, settings.versions()));
    }
    return EventEnvelope.builder("T")
        .aggregateType("A")
        .aggregateId(Integer.toString(aggregate))
        .ordered()
        .payloadJson(Integer.toString(version))
        .build();
  }

  private static int number(Connection conn, String sql, int... values) throws SQLException {
    try (PreparedStatement statement = conn.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setInt(i + 1, values[i]);
      }
      try (ResultSet found = statement.executeQuery()) {
        return found.next() ? found.getInt(1) : -1;
      }
    }
  }

  private static void insertOrder(Connection conn, String eventId) throws SQLException {
    try (PreparedStatement insert = conn.prepareStatement(INSERT_ORDER)) {
      insert.setString(1, eventId);
      insert.executeUpdate();
    }
  }

  private static void say(String outcome, List<EventEnvelope> events) {
    Acknowledged.line(
        outcome + " " + String.join(" ", events.stream().map(EventEnvelope::eventId).toList()));
  }
}
