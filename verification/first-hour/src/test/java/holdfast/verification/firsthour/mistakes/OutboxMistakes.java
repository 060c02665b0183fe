package holdfast.verification.firsthour.mistakes;

import static holdfast.verification.firsthour.mistakes.Messages.thrown;
import static holdfast.verification.firsthour.mistakes.Messages.warned;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.BUILD;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.CALL;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.CALL_LOG;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.START;

import holdfast.testkit.db.TestDatabase;
import holdfast.verification.firsthour.mistakes.Mistake.Library;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import outbox.EventEnvelope;
import outbox.dispatch.LeaseSettings;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcOutboxBuilder;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.OutboxSchema;
import outbox.jdbc.ThreadLocalTxContext;

/** Mistakes with the outbox in an application without a framework. */
final class OutboxMistakes {
  private static final EventEnvelope PLACED = EventEnvelope.ofJson("OrderPlaced", "{\"id\":1}");

  private OutboxMistakes() {}

  static List<Mistake> all() {
    MistakeList list = new MistakeList(Library.OUTBOX);
    database(list);
    settings(list);
    use(list);
    events(list);
    PayloadMistakes.withOutbox(list);
    return list.all();
  }

  private static String built(Databases.Use use) throws Exception {
    return Databases.onH2(use);
  }

  private static JdbcOutboxBuilder onTables(DataSource dataSource) {
    return JdbcOutbox.builder(dataSource).createTables();
  }

  private static JdbcOutbox outbox(TestDatabase database) {
    return onTables(database.dataSource()).build();
  }

  private static void database(MistakeList list) {
    list.add(
            "no DataSource",
            BUILD,
            () -> thrown(() -> JdbcOutbox.builder(null)),
            "builder needs a DataSource",
            "but was given null",
            "pass the one that business transactions use")
        .add(
            "missing table",
            BUILD,
            () -> built(db -> thrown(() -> JdbcOutbox.builder(db.dataSource()).build())),
            "table outbox_event must exist",
            "but was not found",
            "create it with createTables(), or with outbox/jdbc/schema/h2.sql")
        .add(
            "wrong column type",
            BUILD,
            () ->
                built(
                    db -> {
                      OutboxSchema.createIfMissing(db.dataSource());
                      Databases.execute(
                          db, "ALTER TABLE outbox_event ALTER COLUMN attempts VARCHAR(9)");
                      return thrown(() -> JdbcOutbox.builder(db.dataSource()).build());
                    }),
            "column attempts of table outbox_event must be",
            "but is CHARACTER VARYING",
            "change its type to the one in outbox/jdbc/schema/h2.sql")
        .add(
            "missing privilege",
            BUILD,
            () ->
                Databases.onPostgres(
                    db -> {
                      OutboxSchema.createIfMissing(db.dataSource());
                      DataSource limited =
                          db.dataSourceOf(
                              Databases.user(),
                              "SELECT, INSERT, DELETE ON outbox_event",
                              "SELECT, INSERT, UPDATE ON outbox_event_order",
                              "SELECT, INSERT, UPDATE, DELETE ON outbox_event_count");
                      return thrown(() -> JdbcOutbox.builder(limited).build());
                    }),
            "lacks the right",
            "to UPDATE on table outbox_event",
            "run GRANT UPDATE ON outbox_event TO")
        .add(
            "database down",
            BUILD,
            () -> thrown(() -> JdbcOutbox.builder(Databases.down()).build()),
            "outbox could not reach its database",
            "Connection to localhost:1 refused",
            "check the URL, the user and the password")
        .add(
            "unknown database",
            BUILD,
            () -> built(db -> thrown(() -> JdbcOutbox.builder(Databases.unknown(db)).build())),
            "no dialect for database product",
            "'DB2'",
            "use one of these, or name the one that it is compatible with by dialect(...)");
  }

  private static void settings(MistakeList list) {
    list.add(
            "dialect that does not exist",
            BUILD,
            () -> built(db -> thrown(() -> JdbcOutbox.builder(db.dataSource()).dialect("db2"))),
            "no dialect",
            "named 'db2'",
            "supported: h2, mariadb, mysql, postgresql")
        .add(
            "reserved word as a table name",
            BUILD,
            () ->
                built(
                    db -> thrown(() -> JdbcOutbox.builder(db.dataSource()).table("order").build())),
            "table name must not be a reserved word",
            "but was 'order'",
            "take another such as 'my_order'")
        .add(
            "table name with a dash",
            BUILD,
            () ->
                built(
                    db ->
                        thrown(
                            () -> JdbcOutbox.builder(db.dataSource()).table("my-outbox").build())),
            "table name must be",
            "but was 'my-outbox'",
            "1 to 63 of A-Z, a-z, 0-9 and _")
        .add(
            "zero workers and a negative time",
            BUILD,
            () ->
                built(
                    db ->
                        thrown(
                            () ->
                                onTables(db.dataSource())
                                    .workers(0)
                                    .closeTimeout(Duration.ofSeconds(-1))
                                    .build())),
            "JdbcOutbox: workers must",
            "but was 0; closeTimeout must be zero or more but was PT-1S",
            "workers must be 1 or more")
        .add(
            "lease shorter than its renewals",
            BUILD,
            () ->
                thrown(
                    () ->
                        new LeaseSettings(
                            "node-1",
                            Duration.ofSeconds(5),
                            Duration.ofSeconds(5),
                            Duration.ofSeconds(1),
                            Duration.ofMinutes(1))),
            "LeaseSettings: length must",
            "but was PT5S",
            "be more than twice renewEvery plus drift")
        .add(
            "listener for a blank type",
            BUILD,
            () ->
                built(
                    db -> thrown(() -> JdbcOutbox.builder(db.dataSource()).listener(" ", e -> {}))),
            "eventType must not be blank",
            "but was ' '",
            "name the type, or use \"*\" for all types");
  }

  private static void use(MistakeList list) {
    list.add(
            "publish without a transaction",
            CALL,
            () -> built(db -> thrown(() -> outbox(db).publish(PLACED))),
            "publish needs an active transaction on this thread",
            "but found none",
            "begin one with JdbcOutbox.begin()")
        .add(
            "publish in a read-only transaction",
            CALL,
            () ->
                Databases.onPostgres(
                    db -> {
                      JdbcOutbox outbox = outbox(db);
                      try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
                        tx.connection().createStatement().execute("SET TRANSACTION READ ONLY");
                        return thrown(() -> outbox.publish(PLACED));
                      }
                    }),
            "outbox could not insert in table outbox_event",
            "read-only transaction",
            "write in a transaction that is not read-only")
        .add(
            "second transaction on the same thread",
            CALL,
            () ->
                built(
                    db -> {
                      JdbcOutbox outbox = outbox(db);
                      try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
                        return thrown(outbox::begin);
                      }
                    }),
            "a thread must have one transaction at a time",
            "but this one has one already",
            "commit or roll it back first")
        .add(
            "transaction committed twice",
            CALL,
            () ->
                built(
                    db -> {
                      JdbcTransactionManager.Transaction tx = outbox(db).begin();
                      tx.commit();
                      return thrown(tx::commit);
                    }),
            "a transaction can be ended once",
            "but this one has been",
            "begin a new one")
        .add(
            "connection of the transaction committed by hand",
            CALL,
            () ->
                built(
                    db -> {
                      try (JdbcTransactionManager.Transaction tx = outbox(db).begin()) {
                        return thrown(() -> tx.connection().commit());
                      }
                    }),
            "a connection of a transaction must be left open until its end",
            "but commit() was called",
            "commit or roll back the transaction instead")
        .add(
            "own transactions and those of a framework mixed",
            CALL,
            () ->
                built(
                    db -> {
                      JdbcOutbox outbox =
                          onTables(db.dataSource()).txContext(new ThreadLocalTxContext()).build();
                      return thrown(outbox::begin);
                    }),
            "begin() needs an outbox with its own transactions",
            "but this one was built with txContext(...)",
            "begin it where that TxContext does, in Spring with @Transactional, or build without txContext(...)")
        .add(
            "started after close",
            START,
            () ->
                built(
                    db -> {
                      JdbcOutbox outbox = outbox(db);
                      outbox.close();
                      return thrown(outbox::start);
                    }),
            "cannot be started",
            "is closed",
            "make a new one");
  }

  private static void events(MistakeList list) {
    list.add(
            "event type that no listener has",
            CALL_LOG,
            () ->
                built(
                    db -> {
                      try (JdbcOutbox outbox =
                          onTables(db.dataSource()).listener("OrderPlaced", e -> {}).build()) {
                        outbox.start();
                        return warned(
                            "outbox",
                            () -> {
                              try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
                                outbox.publish(EventEnvelope.ofJson("OrderPlacd", "{}"));
                                tx.commit();
                              }
                            });
                      }
                    }),
            "outbox has no listener on this node",
            "for type=OrderPlacd",
            "register a listener")
        .add(
            "payload that is not JSON",
            CALL,
            () -> thrown(() -> EventEnvelope.ofJson("OrderPlaced", "{id:1}")),
            "payloadJson must be JSON",
            "found 'i'",
            "'\"' expected at position 1")
        .add(
            "event without a payload",
            CALL,
            () -> thrown(() -> EventEnvelope.builder("OrderPlaced").build()),
            "exactly one of payloadJson and payloadBytes must be set",
            "but neither was",
            "set one of them")
        .add(
            "ordered event without its aggregate",
            CALL,
            () ->
                thrown(
                    () -> EventEnvelope.builder("OrderPlaced").payloadJson("{}").ordered().build()),
            "an ordered event must have aggregateType and aggregateId",
            "but has null and null",
            "set both");
  }
}
