package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.Disguise;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.BatchEventListener;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.OutboxException;
import outbox.dispatch.LeaseSettings;
import outbox.dispatch.OutboxDispatcher;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.MetricsExporter;

/** Mistakes of callers: a clear error as early as can be, nothing half-written. */
@Timeout(60)
class BadInputTest {

  private static String nested(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }

  private static EventEnvelope ordered(String payload) {
    return Publishing.ordered("T", "7").payloadJson(payload).build();
  }

  private static void business(Nodes nodes, JdbcTransactionManager.Transaction tx)
      throws SQLException {
    try (Statement statement = tx.connection().createStatement()) {
      statement.execute("INSERT INTO orders_of_test (id) VALUES (1)");
    }
  }

  private static void makeOrders(Nodes nodes) throws SQLException {
    nodes.table.execute("DROP TABLE IF EXISTS orders_of_test");
    nodes.table.execute("CREATE TABLE orders_of_test (id INT PRIMARY KEY)");
  }

  /** The mistake is refused, and the transaction around it commits what else it did. */
  private static void refusedAndTheRestCommits(
      Nodes nodes, JdbcTransactionManager.Transaction begun, ThrowingCallable mistake, String words)
      throws SQLException {
    try (JdbcTransactionManager.Transaction tx = begun) {
      business(nodes, tx);
      assertThatThrownBy(mistake).hasMessageContaining(words);
      tx.commit();
    }
    try (Connection conn = nodes.table.database.connect();
        Statement statement = conn.createStatement();
        var rows = statement.executeQuery("SELECT COUNT(*) FROM orders_of_test")) {
      rows.next();
      assertThat(rows.getInt(1)).isEqualTo(1);
    }
  }

  private static int orderRows(Nodes nodes) throws SQLException {
    try (Connection conn = nodes.table.database.connect();
        Statement statement = conn.createStatement();
        var rows = statement.executeQuery("SELECT COUNT(*) FROM outbox_event_order")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @EachDatabase
  void withoutATransactionNothingIsWritten(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.made(b -> b.listener("T", nodes.recording()));
      assertThatThrownBy(() -> node.publish(ordered("1")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("publish needs an active transaction on this thread");
      assertThat(nodes.table.countWhere("1 = 1")).isZero();
      assertThat(orderRows(nodes)).isZero();
      assertThat(node.dispatcher().inFlight()).isZero();
    }
  }

  @EachDatabase
  void theSameIdTwiceIsRefusedWithTheFixAndTheLedgerStaysTrue(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.made(b -> b.publishOnly());
      EventEnvelope event = Nodes.event("T");
      Nodes.publish(node, event);
      assertThatThrownBy(() -> Nodes.publish(node, event))
          .isInstanceOf(OutboxException.class)
          .hasMessageContaining(
              "; an event of this id is in the table already: publish each event");
      assertThat(node.ledger().toLine())
          .isEqualTo("outbox accepted=1 delivered=0 held=1(new=1) lost=0 unaccounted=0");
    }
  }

  @EachDatabase
  void aPayloadNestedTooDeepIsRefusedBeforeTheFirstStatement(TestDatabase database)
      throws Exception {
    int most =
        switch (database.kind()) {
          case MARIADB -> 31;
          case POSTGRESQL -> 5_000;
          default -> 100_000;
        };
    try (Nodes nodes = Nodes.on(database)) {
      makeOrders(nodes);
      JdbcOutbox node = nodes.made(b -> b.publishOnly());
      Nodes.publish(node, EventEnvelope.ofJson("T", nested(most)));
      if (database.kind() == DatabaseKind.H2) {
        return; // takes whatever fits into a payload
      }
      List<EventEnvelope> second = List.of(ordered("1"), ordered(nested(most + 1)));
      refusedAndTheRestCommits(
          nodes,
          node.begin(),
          () -> node.publishAll(second),
          "payloadJson must be nested " + most + " levels or fewer");
      assertThat(nodes.table.countWhere("1 = 1")).isEqualTo(1);
      assertThat(orderRows(nodes)).isZero();
    }
  }

  @EachDatabase
  void whatIsTooDeepAsJsonGoesAsBytes(TestDatabase database) throws Exception {
    byte[] deep = nested(200_000).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
      String id = Nodes.publish(publisher, EventEnvelope.builder("T").payloadBytes(deep).build());
      nodes.started(
          b ->
              b.listener(
                  "T",
                  event -> {
                    assertThat(event.payloadBytes()).isEqualTo(deep);
                    nodes.delivered.add(event.eventId());
                  }));
      Eventually.await("delivered", () -> nodes.delivered.contains(id));
    }
  }

  @EachDatabase
  void thePlainTableRefusesWhatItCannotTellApart(TestDatabase database) throws Exception {
    EventEnvelope bytes = EventEnvelope.builder("T").payloadBytes(new byte[] {1}).build();
    try (Nodes nodes = Nodes.on(database)) {
      makeOrders(nodes);
      PlainTableTest.usePlainTable(nodes, database.kind());
      JdbcOutbox node = nodes.made(b -> b.listener("T", nodes.recording()));
      refusedAndTheRestCommits(
          nodes, node.begin(), () -> node.publish(bytes), "the column payload_encoding");
      try (JdbcTransactionManager.Transaction tx = node.begin()) {
        assertThatThrownBy(() -> node.publish(ordered("1")))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("ordered events must go to a table that numbers them");
        assertThatThrownBy(
                () -> new JdbcOutboxRepository().insertNew(tx.connection(), ordered("1")))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("the column order_number");
        tx.commit();
      }
      assertThat(nodes.table.countWhere("1 = 1")).isZero();
    }
  }

  @EachDatabase
  void aStoreOfFiveMethodsRefusesOrderedEvents(TestDatabase database) throws Exception {
    ThreadLocalTxContext context = new ThreadLocalTxContext();
    try (Nodes nodes = Nodes.on(database)) {
      DataSourceConnectionProvider connections = new DataSourceConnectionProvider(nodes.pool);
      FiveMethods store = new FiveMethods(new JdbcOutboxRepository());
      try (OutboxDispatcher dispatcher =
              OutboxDispatcher.builder(connections, store, new DefaultListenerRegistry()).build();
          JdbcTransactionManager.Transaction tx =
              new JdbcTransactionManager(connections, context).begin()) {
        OutboxClient client = new OutboxClient(context, store, dispatcher, MetricsExporter.NOOP);
        assertThatThrownBy(() -> client.publish(ordered("1")))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("publish without ordered()");
        tx.commit();
      }
      assertThat(nodes.table.countWhere("1 = 1")).isZero();
    }
  }

  @EachDatabase
  void anIdThatIsTakenIsRefusedByName(TestDatabase database) throws Exception {
    EventEnvelope twice = Nodes.event("T");
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.made(b -> b.publishOnly());
      Nodes.publish(node, twice);
      assertThatThrownBy(() -> Nodes.publish(node, twice))
          .isInstanceOf(OutboxException.class)
          .hasMessageContaining("outbox could not insert in table outbox_event");
      assertThat(nodes.table.countWhere("1 = 1")).isEqualTo(1);
    }
  }

  @Test
  void anOutboxWithoutADataSourceSaysSo() {
    assertThatThrownBy(() -> JdbcOutbox.builder(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage(
            "builder needs a DataSource but was given null; pass the one that business"
                + " transactions use");
  }

  @EachDatabase
  void aMissingTableIsNamedWhenTheOutboxIsBuiltAndWhenItIsPublishedTo(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      makeOrders(nodes);
      assertThatThrownBy(() -> nodes.made(b -> b.table("not_there")))
          .isInstanceOf(OutboxException.class)
          .hasMessageContaining("table not_there must exist but was not found")
          .hasMessageContaining("createTables(), or with outbox/jdbc/schema/");
      ThreadLocalTxContext context = new ThreadLocalTxContext();
      DataSourceConnectionProvider connections = new DataSourceConnectionProvider(nodes.pool);
      JdbcOutboxRepository store = new JdbcOutboxRepository("not_there");
      try (OutboxDispatcher dispatcher =
          OutboxDispatcher.builder(connections, store, new DefaultListenerRegistry()).build()) {
        OutboxClient client = new OutboxClient(context, store, dispatcher, MetricsExporter.NOOP);
        refusedAndTheRestCommits(
            nodes,
            new JdbcTransactionManager(connections, context).begin(),
            () -> client.publish(Nodes.event("T")),
            "table not_there must exist but was not found");
      }
    }
  }

  @EachDatabase
  void anUnknownDatabaseIsNamedWithTheSupportedOnes(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database);
        ConnectionPool other = ConnectionPool.over(() -> Disguise.as("DB2", database))) {
      assertThatThrownBy(() -> JdbcOutbox.builder(other).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("no dialect for database product 'DB2'", "H2", "dialect(...)");
      assertThatThrownBy(() -> JdbcOutbox.builder(other).createTables().build())
          .hasMessageContaining("no dialect for database product 'DB2'");
      assertThatThrownBy(() -> JdbcOutbox.builder(other).dialect("db2"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no dialect named 'db2'");
      assertThat(other.out()).isZero();
    }
  }

  @EachDatabase
  void settingsOutOfRangeAreNamedAllAtOnceAndNothingIsCreatedOrStarted(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      Set<Thread> before = outboxThreads();
      assertThatThrownBy(
              () ->
                  JdbcOutbox.builder(nodes.pool)
                      .table("never_made")
                      .createTables()
                      .workers(0)
                      .hotQueueCapacity(0)
                      .coldQueueCapacity(-1)
                      .maxAttempts(0)
                      .closeTimeout(Duration.ofMillis(-1))
                      .pollInterval(Duration.ZERO)
                      .pollSkipRecent(Duration.ofMillis(-1))
                      .batchSize(0)
                      .build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("JdbcOutbox: workers must be 1 or more but was 0")
          .hasMessageContainingAll(
              "hotQueueCapacity must",
              "coldQueueCapacity must",
              "maxAttempts must",
              "closeTimeout must",
              "pollInterval must be more than zero but was PT0S",
              "pollSkipRecent must",
              "batchSize must");
      assertThatThrownBy(() -> JdbcOutbox.builder(nodes.pool).batchListener("T", ofNone()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("maxBatchSize must be 1 or more but was 0; 1 takes events one by one");
      assertThatThrownBy(() -> JdbcOutbox.builder(nodes.pool).retention(Duration.ofDays(-1)))
          .hasMessageContaining("retention must be zero or more");
      assertThatThrownBy(() -> nodes.table.execute("SELECT COUNT(*) FROM never_made"))
          .isInstanceOf(SQLException.class);
      assertThat(nodes.pool.lent()).isZero();
      assertThat(outboxThreads()).isSubsetOf(before);
    }
  }

  private static BatchEventListener ofNone() {
    return new BatchEventListener() {
      @Override
      public Map<String, Exception> onEvents(List<EventEnvelope> events) {
        return Map.of();
      }

      @Override
      public int maxBatchSize() {
        return 0;
      }
    };
  }

  @EachDatabase(DatabaseKind.H2)
  void settingsTooLargeToWorkWithAreNamed(TestDatabase database) throws Exception {
    Duration age = Duration.ofSeconds(Long.MAX_VALUE);
    try (Nodes nodes = Nodes.on(database)) {
      assertThatThrownBy(
              () ->
                  JdbcOutbox.builder(nodes.pool)
                      .workers(Integer.MAX_VALUE)
                      .hotQueueCapacity(Integer.MAX_VALUE)
                      .coldQueueCapacity(Integer.MAX_VALUE)
                      .retryFor(age)
                      .listenerTimeout(age)
                      .closeTimeout(age)
                      .pollInterval(age)
                      .pollSkipRecent(age)
                      .batchSize(Integer.MAX_VALUE)
                      .table("select")
                      .build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll(
              "table name must not be a reserved word",
              "workers must be 10000 or less but was 2147483647",
              "hotQueueCapacity must be 10000000 or less",
              "coldQueueCapacity must be 10000000 or less",
              "retryFor must be 100 years or less",
              "listenerTimeout must be 100 years or less",
              "closeTimeout must be 100 years or less",
              "pollInterval must be 100 years or less",
              "pollSkipRecent must be 100 years or less",
              "batchSize must be 100000 or less");
      assertThatThrownBy(() -> new LeaseSettings("a", age, age, age, age))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("renewEvery must", "drift must", "maxQueueWait must", "length");
    }
  }

  private static Set<Thread> outboxThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("outbox-"))
        .collect(Collectors.toSet());
  }
}
