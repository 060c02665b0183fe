package chaos.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import chaos.Campaign;
import chaos.Fleet;
import chaos.Life;
import chaos.NetworkLine;
import chaos.Signals;
import chaos.Span;
import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.process.ChildJvm;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.DeadFilter;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.OutboxSchema;

/**
 * A PostgreSQL, the nodes on it and the lines between them; and at the end the audit. Confined to
 * one thread.
 */
final class Scene implements AutoCloseable {
  private static final String PENDING =
      "SELECT event_id, status, attempts, lapses, claimed_by, available_at, aggregate_id"
          + " FROM outbox_event WHERE status <> 1 AND %s ORDER BY event_id LIMIT 10";

  private final Campaign campaign;
  private final TestDatabase database;
  private final Journal journal;
  private final Signals signals;
  private final List<NetworkLine> lines = new ArrayList<>();
  private final Random seeds;
  private Load load;
  private @Nullable Fleet fleet;

  private Scene(Campaign campaign, TestDatabase database, Load load, Path signals)
      throws SQLException {
    this.campaign = campaign;
    this.database = database;
    this.load = load;
    this.signals = new Signals(signals);
    this.seeds = campaign.chance();
    OutboxSchema.createIfMissing(database.dataSource());
    execute("CREATE TABLE business_order (event_id VARCHAR(36) PRIMARY KEY)");
    execute("CREATE TABLE business_aggregate (id INT PRIMARY KEY, version INT NOT NULL)");
    execute(
        "INSERT INTO business_aggregate SELECT id, 0 FROM generate_series(0, "
            + (load.aggregates() - 1)
            + ") AS id");
    this.journal = Journal.begin(database);
  }

  static Scene open(Campaign campaign, Load load, Path signals) throws SQLException {
    TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL);
    return new Scene(campaign, database, load, signals);
  }

  /** Starts so many nodes, each on a line of its own; once for a scene. */
  Fleet start(int nodes) throws InterruptedException {
    for (int place = 0; place < nodes; place++) {
      lines.add(NetworkLine.to(database.host(), database.port()));
    }
    Fleet started = Fleet.of(nodes, this::launch);
    fleet = started;
    return started;
  }

  /** Sets what is asked of nodes that are started from now on. */
  void load(Load load) {
    this.load = load;
  }

  private ChildJvm launch(int place, String name) {
    NodeSettings settings =
        new NodeSettings(
            database.urlVia("127.0.0.1", lines.get(place).port()),
            database.user(),
            database.password(),
            name,
            seeds.nextLong(),
            signals.folder(),
            load.publishers(),
            load.pause(),
            load.eventsPerNode(),
            load.failing(),
            load.versions(),
            load.stuck());
    return ChildJvm.of(OutboxNode.class, settings.args())
        .jvmOptions(
            "-Xmx192m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dslf4j.internal.verbosity=ERROR")
        .start();
  }

  /** The lines, in the order of the nodes. */
  List<NetworkLine> lines() {
    return List.copyOf(lines);
  }

  /** Has the nodes publish no more and waits until they do not. */
  void stopPublishing() throws Exception {
    signals.give(NodeSettings.STOP);
    awaitPublished();
  }

  /** Waits until each node has published what it was to publish. */
  void awaitPublished() throws Exception {
    campaign.await("every node has ended publishing", () -> stillPublishing());
  }

  private String stillPublishing() {
    List<String> names = fleet().living().stream().map(Life::name).toList();
    return String.join(", ", names.stream().filter(name -> !signals.isGiven(name)).toList());
  }

  /** Has the nodes deliver what is left and leave, then asserts that all accounts fit. */
  History finish() throws Exception {
    awaitDone("TRUE");
    signals.give(NodeSettings.LEAVE);
    fleet().awaitLeft(campaign.left());
    History history = History.of(fleet().lives());
    audit(history);
    LedgerSnapshot ledger = ledger();
    assertThat(ledger.held()).as(ledger.toLine()).isZero();
    return history;
  }

  /** Waits until all rows of a condition are DONE. */
  void awaitDone(String condition) throws Exception {
    campaign.await("every event is DONE", () -> pending(condition));
  }

  private String pending(String condition) throws SQLException {
    List<String> some = strings(PENDING.formatted(condition), 7);
    return some.isEmpty()
        ? ""
        : count("outbox_event WHERE status <> 1 AND " + condition) + " events, such as " + some;
  }

  /** Waits until so many events were committed. */
  void awaitCommitted(int events) throws Exception {
    campaign.await(
        events + " events are committed",
        () -> {
          int missing = events - count("business_order");
          return missing > 0 ? missing + " events" : "";
        });
  }

  /** Waits until lines were broken so often. */
  void awaitBroken(int times) throws Exception {
    campaign.await(
        "lines are broken " + times + " times",
        () -> broken() < times ? (times - broken()) + " times" : "");
  }

  private int broken() {
    return lines.stream().mapToInt(line -> line.broken().size()).sum();
  }

  private int count(String what) throws SQLException {
    return Integer.parseInt(strings("SELECT COUNT(*) FROM " + what, 1).get(0));
  }

  /** Waits until so many events are dead. */
  void awaitDead(int events) throws Exception {
    campaign.await(
        events + " events are dead",
        () -> {
          long dead = ledger().heldByPlace().getOrDefault("dead", 0L);
          return dead == events ? "" : "dead are " + dead;
        });
  }

  /** Brings all dead events back, as a person would. */
  long replayDead() {
    try (JdbcOutbox console = console()) {
      return console.deadEvents().redeliverAll(DeadFilter.ALL);
    }
  }

  /** The ledger of all nodes together. */
  LedgerSnapshot ledger() {
    try (JdbcOutbox console = console()) {
      return console.ledger();
    }
  }

  private JdbcOutbox console() {
    return JdbcOutbox.builder(database.dataSource()).publishOnly().build();
  }

  List<Change> changes() throws SQLException {
    return journal.changes();
  }

  /** What was seen, for people. */
  String figures(History history) throws SQLException {
    return ("%d events in %d deliveries, %d failed, %d after a success; %d kills, %d broken lines,"
            + " %d leases taken over, %d transactions of unknown outcome; %s")
        .formatted(
            history.deliveries().size(),
            history.count(),
            history.failed(),
            history.duplicates(),
            fleet().kills(),
            broken(),
            changes().stream().filter(Change::isTakeover).count(),
            history.unknown(),
            ledger().toLine());
  }

  private Fleet fleet() {
    return Objects.requireNonNull(fleet, "started");
  }

  /** Asserts that every account fits the others, and that the table's ledger is complete. */
  void audit(History history) throws SQLException {
    Set<String> business = new TreeSet<>(strings("SELECT event_id FROM business_order", 1));
    Audit audit = new Audit(history, business, changes(), troubles(), NodeSettings.LEASE);
    assertThat(audit.problems()).isEmpty();
    LedgerSnapshot ledger = ledger();
    assertThat(ledger.isAccountedFor()).as(ledger.toLine()).isTrue();
    assertThat(ledger.accepted()).as(ledger.toLine()).isEqualTo(business.size());
  }

  private Map<String, List<Span>> troubles() {
    Map<String, List<Span>> troubles = new HashMap<>();
    for (Life life : fleet().lives()) {
      List<Span> its = new ArrayList<>(lines.get(life.place()).broken());
      Span killed = life.killed();
      if (killed != null) {
        its.add(killed);
      }
      troubles.put(life.name(), its);
    }
    return troubles;
  }

  private void execute(String sql) throws SQLException {
    try (Connection conn = database.connect();
        Statement statement = conn.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<String> strings(String sql, int columns) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Connection conn = database.connect();
        Statement statement = conn.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          row.add(rows.getString(i));
        }
        found.add(String.join("/", row));
      }
    }
    return found;
  }

  @Override
  public void close() throws SQLException {
    if (fleet != null) {
      fleet.close();
    }
    lines.forEach(NetworkLine::close);
    database.close();
  }
}
