package holdfast.verification.firsthour.mistakes;

import static holdfast.verification.firsthour.mistakes.Databases.onH2;
import static holdfast.verification.firsthour.mistakes.Messages.thrown;
import static holdfast.verification.firsthour.mistakes.Messages.warned;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.BUILD;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.CALL;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.CALL_LOG;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.START;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.START_LOG;

import eventbus.Event;
import eventbus.EventBus;
import eventbus.EventBusBuilder;
import eventbus.EventBusSchema;
import holdfast.testkit.db.TestDatabase;
import holdfast.verification.firsthour.mistakes.Mistake.Library;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** Mistakes with the event bus in an application without a framework. */
final class EventBusMistakes {

  private EventBusMistakes() {}

  static List<Mistake> all() {
    MistakeList list = new MistakeList(Library.EVENTBUS);
    database(list);
    unreachable(list);
    settings(list);
    use(list);
    PayloadMistakes.withEventBus(list);
    return list.all();
  }

  private static EventBusBuilder builder(TestDatabase database) {
    return EventBus.builder(database.dataSource()).createTables();
  }

  private static void database(MistakeList list) {
    list.add(
            "no DataSource",
            BUILD,
            () -> thrown(() -> EventBus.builder(null)),
            "builder needs a DataSource",
            "but was given null",
            "pass the one whose database has the tables")
        .add(
            "missing table, bus started",
            START,
            () -> onH2(db -> thrown(() -> EventBus.builder(db.dataSource()).build().start())),
            "table events must exist",
            "but was not found",
            "create it with createTables()")
        .add(
            "missing table, bus only publishes",
            CALL,
            () ->
                onH2(
                    db -> {
                      EventBus bus = EventBus.builder(db.dataSource()).build();
                      return thrown(() -> bus.publish(Event.of("OrderPlaced", "{}")));
                    }),
            "table events must exist",
            "but was not found",
            "create it with createTables()")
        .add(
            "wrong column type",
            START,
            () ->
                onH2(
                    db -> {
                      EventBusSchema.createIfMissing(db.dataSource());
                      Databases.execute(db, "ALTER TABLE events ALTER COLUMN failures VARCHAR(9)");
                      return thrown(() -> EventBus.builder(db.dataSource()).build().start());
                    }),
            "column failures of table events must be",
            "but is CHARACTER VARYING",
            "change its type to the one in eventbus/schema/h2.sql")
        .add(
            "missing privilege",
            START,
            () ->
                Databases.onPostgres(
                    db -> {
                      EventBusSchema.createIfMissing(db.dataSource());
                      DataSource limited =
                          db.dataSourceOf(
                              Databases.user(),
                              "SELECT, INSERT, UPDATE ON events",
                              "ALL ON event_log",
                              "ALL ON events_count");
                      return thrown(() -> EventBus.builder(limited).build().start());
                    }),
            "lacks the right",
            "to DELETE on table events",
            "run GRANT DELETE ON events TO");
  }

  private static void unreachable(MistakeList list) {
    list.add(
            "database down while tables are to be created",
            BUILD,
            () -> thrown(() -> EventBus.builder(Databases.down()).createTables().build()),
            "event bus could not create its tables",
            "Connection to localhost:1 refused",
            "check the URL, the user and the password")
        .add(
            "database down at the start",
            START_LOG,
            () -> {
              try (EventBus bus =
                  EventBus.builder(Databases.down()).handler("A", e -> {}).build()) {
                return warned("eventbus", bus::start);
              }
            },
            "eventbus database access failed during=nodes",
            "Connection to localhost:1 refused",
            "check the URL, the user and the password")
        .add(
            "database down when an event is published",
            CALL,
            () ->
                thrown(
                    () ->
                        EventBus.builder(Databases.down())
                            .build()
                            .publish(Event.of("OrderPlaced", "{}"))),
            "event bus could not",
            "Connection to localhost:1 refused",
            "check the URL, the user and the password")
        .add(
            "unknown database",
            START,
            () -> onH2(db -> thrown(() -> EventBus.builder(Databases.unknown(db)).build().start())),
            "no dialect for database product",
            "'DB2'",
            "use one of these");
  }

  private static void settings(MistakeList list) {
    list.add(
            "reserved word as a table name",
            BUILD,
            () -> onH2(db -> thrown(() -> builder(db).tables("select", "event_log"))),
            "table name must not be a reserved word",
            "but was 'select'",
            "take another such as 'my_select'")
        .add(
            "zero workers and a negative batch",
            BUILD,
            () -> onH2(db -> thrown(() -> builder(db).workers(0).batchSize(-1).build())),
            "EventBus: workers must",
            "but was 0; batchSize must be 1 or more but was -1",
            "workers must be 1 or more")
        .add(
            "heartbeat longer than the abandonment time-out",
            BUILD,
            () ->
                onH2(
                    db ->
                        thrown(
                            () ->
                                builder(db)
                                    .abandonmentTimeout(Duration.ofSeconds(10))
                                    .heartbeat(Duration.ofSeconds(20))
                                    .build())),
            "abandonmentTimeout must",
            "but was PT10S",
            "be more than twice the heartbeat")
        .add(
            "two handlers with the same id",
            BUILD,
            () ->
                onH2(
                    db ->
                        thrown(
                            () ->
                                builder(db)
                                    .handler("OrderPlaced", e -> {})
                                    .handler("OrderPlaced", e -> {}))),
            "handlers of type 'OrderPlaced' must have ids of their own",
            "but 'default' is registered already",
            "give each its id with register(type, id, handler)")
        .add(
            "handler for a type with a space at its end",
            BUILD,
            () -> onH2(db -> thrown(() -> builder(db).handler("OrderPlaced ", e -> {}))),
            "type must",
            "but was 'OrderPlaced '",
            "have no white space at its ends");
  }

  private static void use(MistakeList list) {
    list.add(
            "event type that no handler has",
            CALL_LOG,
            () ->
                onH2(
                    db -> {
                      try (EventBus bus = builder(db).handler("OrderPlaced", e -> {}).build()) {
                        bus.start();
                        bus.publish(Event.of("OrderPlacd", "{}"));
                        return warned("eventbus", bus::backlog);
                      }
                    }),
            "eventbus has no handler on this node",
            "for type=OrderPlacd",
            "register a handler")
        .add(
            "payload too large",
            CALL,
            () ->
                onH2(
                    db -> {
                      EventBus bus = builder(db).maxPayloadBytes(10).build();
                      return thrown(
                          () -> bus.publish(Event.of("OrderPlaced", "{\"order\":\"large\"}")));
                    }),
            "payload of an event of type 'OrderPlaced' must have 10 bytes or fewer",
            "but has 17",
            "store it elsewhere and publish where, or set maxPayloadBytes")
        .add(
            "priority that does not exist",
            CALL,
            () -> thrown(() -> Event.builder("OrderPlaced").priority(10).build()),
            "Event: priority must",
            "but was 10",
            "priority must be 0 to 9")
        .add(
            "event closed that was not polled",
            CALL,
            () ->
                onH2(
                    db -> {
                      Event made = Event.of("OrderPlaced", "{}");
                      EventBus bus = builder(db).build();
                      bus.publish(made);
                      return thrown(() -> bus.finalize(made, true));
                    }),
            "event of type 'OrderPlaced' must come from the bus to have an id",
            "but was made here",
            "publish returns the id")
        .add(
            "event finished both ways",
            CALL,
            () ->
                onH2(
                    db -> {
                      EventBus bus = builder(db).build();
                      long id = bus.publish(Event.of("OrderPlaced", "{}"));
                      bus.finalize(id, true);
                      return thrown(() -> bus.finalize(id, false));
                    }),
            "event 1 must be open to be closed as FAILED",
            "but was closed as COMPLETED",
            "publish it again with log().republish(...)")
        .add(
            "id that does not exist",
            CALL,
            () -> onH2(db -> thrown(() -> builder(db).build().finalize(4711, true))),
            "must be in the table or the log",
            "event 4711",
            "take the id that publish returned")
        .add(
            "started after close",
            START,
            () ->
                onH2(
                    db -> {
                      EventBus bus = builder(db).build();
                      bus.close();
                      return thrown(bus::start);
                    }),
            "cannot be started",
            "EventBus is closed",
            "make a new one");
  }
}
