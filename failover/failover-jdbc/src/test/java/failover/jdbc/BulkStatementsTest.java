package failover.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import failover.key.StoreKey;
import failover.key.canonical.CanonicalKeys;
import failover.store.AsyncFailoverStore;
import failover.store.EncryptingFailoverStore;
import failover.store.FailoverStore;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import failover.store.ReferentialPayload;
import failover.store.ReferentialPayload.Payload;
import failover.store.WriteSkippingFailoverStore;
import failover.store.encryption.AesGcmPayloadCipher;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;

/** How many statements many answers take. */
class BulkStatementsTest {
  private static final Instant NOW = SettableTime.START;
  private static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);

  private static StatementLog log(TestDatabase database) throws SQLException {
    FailoverSchema.createIfMissing(database.dataSource());
    new JdbcFailoverStore(database.dataSource()).deleteAll("bulk");
    return new StatementLog(database.dataSource());
  }

  private static List<ReferentialPayload> answers(int many, int version) {
    return IntStream.range(0, many)
        .mapToObj(
            arg ->
                new ReferentialPayload(
                    CanonicalKeys.ofText("bulk", Integer.toString(arg)),
                    NOW.plusSeconds(version),
                    NOW.plusSeconds(1_000),
                    Payload.ofBytes("a.Type", version, new byte[] {(byte) version})))
        .toList();
  }

  private static List<StoreKey> keys(List<ReferentialPayload> answers) {
    return answers.stream().map(ReferentialPayload::key).toList();
  }

  @EachDatabase
  void storingIsOneBatchAndFindingOneStatementForTwoHundredKeys(TestDatabase database)
      throws SQLException {
    StatementLog log = log(database);
    JdbcFailoverStore store = new JdbcFailoverStore(log.dataSource());
    store.storeAll(answers(450, 1));
    assertThat(log.statements()).hasSize(1);
    assertThat(log.executions()).containsExactly("executeBatch");
    log.clear();
    assertThat(store.findAll(keys(answers(450, 1)))).hasSize(450);
    assertThat(log.executions()).hasSize(3);
    log.clear();
    assertThat(store.findAll(keys(answers(200, 1)))).hasSize(200);
    assertThat(log.executions()).hasSize(1);
  }

  @EachDatabase
  void soItIsBehindAllThatStandsBeforeATable(TestDatabase database) throws Exception {
    StatementLog log = log(database);
    SettableTime time = new SettableTime();
    FailoverStore table =
        new EncryptingFailoverStore(
            new JdbcFailoverStore(log.dataSource()), AesGcmPayloadCipher.of("1", KEY));
    AsyncFailoverStore far = new AsyncFailoverStore(new WriteSkippingFailoverStore(table));
    InMemoryFailoverStore near = new InMemoryFailoverStore();
    try (FailoverStore store = new NearFarFailoverStore(near, far, Duration.ofSeconds(5), time)) {
      time.awaitSleepers(1); // its first check for changes is over
      store.storeAll(answers(150, 1));
      Eventually.await("all is written", () -> far.waiting() == 0);
      assertThat(log.executions()).containsExactly("executeBatch");
      store.storeAll(answers(150, 1)); // unchanged
      Eventually.await("all is looked at", () -> far.waiting() == 0);
      assertThat(log.executions()).hasSize(1);
      log.clear();
      assertThat(store.findAll(keys(answers(150, 1)))).hasSize(150);
      assertThat(log.executions()).isEmpty();
      near.deleteAll("bulk");
      assertThat(store.findAll(keys(answers(150, 1)))).hasSize(150);
      assertThat(log.executions()).hasSize(1);
      assertThat(near.liveEntryCount("bulk")).isEqualTo(150);
      assertThat(store.findAllBehind(keys(answers(150, 1)))).hasSize(150);
      assertThat(log.executions()).hasSize(2);
    }
  }
}
