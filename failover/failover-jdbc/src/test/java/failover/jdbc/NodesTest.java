package failover.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverSpec;
import failover.Failovers;
import failover.StoredAnswers;
import failover.store.FailoverStore;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import failover.store.WriteSkippingFailoverStore;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;

/** Two nodes that share a table, one of them with copies in memory. */
@Timeout(120)
class NodesTest {
  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final IOException DOWN = new IOException("down");

  private final SettableTime time = new SettableTime();
  private final InMemoryFailoverStore copies = new InMemoryFailoverStore();
  private final FailoverSpec<Integer> price =
      FailoverSpec.builder("price", Integer.class).pause(Duration.ZERO, Duration.ZERO).build();

  private record Nodes(Failovers near, Failovers other, StatementLog log) implements AutoCloseable {
    @Override
    public void close() {
      near.close();
      other.close();
    }
  }

  private Nodes nodes(TestDatabase database) throws SQLException, InterruptedException {
    FailoverSchema.createIfMissing(database.dataSource());
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM FAILOVER_STORE");
      statement.execute("DELETE FROM FAILOVER_REMOVAL");
    }
    StatementLog log = new StatementLog(database.dataSource());
    FailoverStore far = new WriteSkippingFailoverStore(new JdbcFailoverStore(log.dataSource()));
    FailoverStore near = new NearFarFailoverStore(copies, far, INTERVAL, time);
    time.awaitSleepers(1); // its first check is over
    return new Nodes(
        Failovers.builder(near).time(time).build(),
        Failovers.builder(new JdbcFailoverStore(database.dataSource())).time(time).build(),
        log);
  }

  private void answered(Failovers node, String key, @Nullable Integer cents) {
    time.advance(Duration.ofMillis(1));
    node.call(price, List.of(key), () -> cents);
  }

  private @Nullable Integer recovered(Failovers node, String key) throws IOException {
    return node.call(
        price,
        List.of(key),
        () -> {
          throw DOWN;
        });
  }

  private void intervalPasses(int copiesLeft) throws InterruptedException {
    time.awaitSleepers(1);
    time.advance(INTERVAL);
    time.awaitSleepers(1);
    Eventually.await("a check", () -> copies.liveEntryCount("price") == copiesLeft);
  }

  @EachDatabase
  void whatAnotherNodeStoresTakesThePlaceOfACopyWithinTheInterval(TestDatabase database)
      throws Exception {
    try (Nodes nodes = nodes(database)) {
      answered(nodes.near, "a", 1);
      answered(nodes.near, "b", 1);
      answered(nodes.near, "same", 1);
      answered(nodes.other, "a", 2);
      answered(nodes.other, "b", null);
      assertThat(recovered(nodes.near, "a")).isEqualTo(1); // not yet
      intervalPasses(1);
      assertThat(recovered(nodes.near, "a")).isEqualTo(2);
      assertThatThrownBy(() -> recovered(nodes.near, "b")).isSameAs(DOWN);
      assertThat(recovered(nodes.near, "same")).isEqualTo(1);
    }
  }

  @EachDatabase
  void whatAnotherNodeRemovesIsNotGivenAfterTheInterval(TestDatabase database) throws Exception {
    try (Nodes nodes = nodes(database)) {
      for (String key : List.of("forgotten", "expired", "kept", "by id")) {
        answered(nodes.near, key, 1);
      }
      StoredAnswers stored = nodes.other.stored();
      assertThat(stored.forget("price", stored.entries("price", 1).get(0).id())).isTrue();
      nodes.other.forget(price, List.of("forgotten"));
      time.advance(Duration.ofMillis(1));
      nodes.other.expire(price, List.of("expired"));
      intervalPasses(1);
      assertThatThrownBy(() -> recovered(nodes.near, "forgotten")).isSameAs(DOWN);
      assertThatThrownBy(() -> recovered(nodes.near, "expired")).isSameAs(DOWN);
      assertThatThrownBy(() -> recovered(nodes.near, "by id")).isSameAs(DOWN);
      assertThat(recovered(nodes.near, "kept")).isEqualTo(1);
      answered(nodes.near, "forgotten", 1); // equal to what was written, and written all the same
      assertThat(recovered(nodes.other, "forgotten")).isEqualTo(1);
    }
  }

  @EachDatabase
  void whatAnotherNodeRemovesByNameIsNotGivenAfterTheInterval(TestDatabase database)
      throws Exception {
    try (Nodes nodes = nodes(database)) {
      answered(nodes.near, "a", 1);
      answered(nodes.near, "b", 1);
      time.advance(Duration.ofMillis(1));
      assertThat(nodes.other.stored().expireAll("price")).isEqualTo(2);
      intervalPasses(0);
      assertThatThrownBy(() -> recovered(nodes.near, "a")).isSameAs(DOWN);
      answered(nodes.near, "a", 2);
      assertThat(nodes.other.stored().forgetAll("price")).isEqualTo(2);
      intervalPasses(0);
      assertThatThrownBy(() -> recovered(nodes.near, "a")).isSameAs(DOWN);
    }
  }

  @EachDatabase
  void aCheckIsOneStatementAndNoneWhileNothingIsKeptNear(TestDatabase database) throws Exception {
    try (Nodes nodes = nodes(database)) {
      time.awaitSleepers(1);
      time.advance(INTERVAL);
      time.awaitSleepers(1);
      assertThat(nodes.log.statements()).isEmpty();
      answered(nodes.near, "a", 1);
      answered(nodes.near, "b", 1);
      nodes.log.statements().clear();
      int intervals = 3;
      for (int i = 1; i <= intervals; i++) {
        int checks = i;
        time.awaitSleepers(1);
        time.advance(INTERVAL);
        Eventually.await("a check", () -> nodes.log.statements().size() >= checks);
      }
      time.awaitSleepers(1);
      assertThat(nodes.log.statements())
          .hasSize(intervals)
          .allSatisfy(sql -> assertThat(sql).contains("CHANGED_ON").doesNotContain("PAYLOAD"));
    }
  }

  @EachDatabase
  void listingAndRemovingReadNoContent(TestDatabase database) throws Exception {
    try (Nodes nodes = nodes(database)) {
      for (int i = 0; i < 20; i++) {
        answered(nodes.near, "key " + i, i);
      }
      StoredAnswers stored = nodes.near.stored();
      nodes.log.statements().clear();
      List<StoredAnswers.Entry> entries = stored.entries("price", 10);
      assertThat(entries).hasSize(10);
      assertThat(entries.get(0).bytes()).isEqualTo(2);
      assertStatements(nodes, 1, 0);
      // A look whether it is there, the removal, and two that tell other nodes of it.
      assertThat(stored.expire("price", entries.get(0).id())).isTrue();
      assertStatements(nodes, 4, 1);
      assertThat(stored.forget("price", entries.get(1).id())).isTrue();
      assertStatements(nodes, 4, 1);
      assertThat(stored.expire("price", "unknown")).isFalse();
      assertStatements(nodes, 1, 0);
      nodes.near.expire(price, List.of("key 1"));
      assertStatements(nodes, 4, 1);
      nodes.near.forget(price, List.of("key 2"));
      assertStatements(nodes, 3, 1);
      assertThat(stored.expireAll("price")).isEqualTo(18);
      assertStatements(nodes, 3, 1);
      assertThat(stored.forgetAll("price")).isEqualTo(18);
      assertStatements(nodes, 3, 1);
    }
  }

  /**
   * Exactly so many statements were sent since the last look, so many of them change answers, and
   * none reads their content.
   */
  private static void assertStatements(Nodes nodes, int all, int changes) {
    List<String> sent = List.copyOf(nodes.log.statements());
    nodes.log.statements().clear();
    assertThat(sent)
        .hasSize(all)
        .filteredOn(sql -> sql.contains("FAILOVER_STORE") && !isSelect(sql))
        .hasSize(changes);
    assertThat(sent)
        .filteredOn(NodesTest::isSelect)
        .allSatisfy(
            sql ->
                assertThat(sql.replace("OCTET_LENGTH(s.PAYLOAD)", "")).doesNotContain("PAYLOAD,"));
  }

  private static boolean isSelect(String sql) {
    return sql.strip().startsWith("SELECT");
  }
}
