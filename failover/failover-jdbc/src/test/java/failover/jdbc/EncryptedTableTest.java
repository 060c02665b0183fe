package failover.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import failover.key.StoreKey;
import failover.key.canonical.CanonicalKeys;
import failover.store.EncryptingFailoverStore;
import failover.store.ReferentialPayload;
import failover.store.ReferentialPayload.Payload;
import failover.store.encryption.AesGcmPayloadCipher;
import failover.store.encryption.PayloadEncryption;
import failover.store.encryption.UnreadableContentException.Reason;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** What somebody who reads the table sees, and what somebody who writes to it can do. */
class EncryptedTableTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final AesGcmPayloadCipher CIPHER =
      AesGcmPayloadCipher.of("1", Base64.getEncoder().encodeToString(new byte[32]));

  private static JdbcFailoverStore table(TestDatabase database) throws SQLException {
    FailoverSchema.createIfMissing(database.dataSource(), "E_");
    execute(database, "DELETE FROM E_FAILOVER_STORE");
    return new JdbcFailoverStore(database.dataSource(), "E_");
  }

  private static int execute(TestDatabase database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  private static StoreKey key(String arg) {
    return CanonicalKeys.ofText("price", arg);
  }

  private static ReferentialPayload answer(StoreKey key, String content) {
    return answer(key, Payload.ofBytes("a.Type", 1, content.getBytes(StandardCharsets.UTF_8)));
  }

  private static ReferentialPayload answer(StoreKey key, Payload payload) {
    return new ReferentialPayload(key, NOW, NOW.plusSeconds(3_600), payload);
  }

  /** All columns of all rows, as a dump has them: bytes as they are, and in hexadecimal digits. */
  private static String dump(TestDatabase database) throws SQLException {
    StringBuilder dump = new StringBuilder();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM E_FAILOVER_STORE")) {
      ResultSetMetaData columns = rows.getMetaData();
      while (rows.next()) {
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          dump.append(rows.getString(i)).append('\n');
          dump.append(new String(rows.getBytes("PAYLOAD"), StandardCharsets.ISO_8859_1));
        }
      }
    }
    return dump.toString();
  }

  private static List<String> hashes(TestDatabase database) throws SQLException {
    List<String> hashes = new ArrayList<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT CONTENT_HASH FROM E_FAILOVER_STORE")) {
      while (rows.next()) {
        hashes.add(rows.getString(1));
      }
    }
    return hashes;
  }

  @EachDatabase
  void aDumpHasNoPlainTextAndDoesNotTellWhichContentsAreEqual(TestDatabase database)
      throws Exception {
    JdbcFailoverStore table = table(database);
    table.store(answer(key("plain"), "jane@example.org"));
    assertThat(dump(database)).contains("jane@example.org");
    table.deleteAll("price");
    EncryptingFailoverStore store = new EncryptingFailoverStore(table, CIPHER);
    String secret = "jane@example.org";
    store.storeAll(
        List.of(answer(key("1"), secret), answer(key("2"), secret), answer(key("3"), secret)));
    store.store(answer(key("4"), Payload.tombstone("a.Type", 1)));
    store.store(answer(key("5"), Payload.tombstone("a.Type", 1)));
    List<String> before = hashes(database);
    store.store(answer(key("1"), secret));
    List<String> hashes = new ArrayList<>(hashes(database));
    hashes.addAll(before);
    assertThat(hashes.stream().distinct()).hasSize(6);
    assertThat(dump(database)).contains("a.Type").doesNotContain("jane", "6a616e65", "6A616E65");
    assertThat(store.find(key("1")).orElseThrow().payload().bytes()).asString().isEqualTo(secret);
  }

  /** With their hashes, so that nothing but the encryption can notice it. */
  @EachDatabase
  void rowsThatWereSwappedOrChangedAreRefused(TestDatabase database) throws Exception {
    EncryptingFailoverStore store = new EncryptingFailoverStore(table(database), CIPHER);
    StoreKey one = key("1");
    store.store(answer(one, "a"));
    StoreKey two = key("2");
    StoreKey stock = CanonicalKeys.ofText("stock", "1");
    move(database, one, two);
    move(database, one, stock);
    assertThat(unreadable(store, two, stock)).isEqualTo(2);
    assertThat(store.find(one).orElseThrow().payload().bytes()).asString().isEqualTo("a");
    execute(database, "UPDATE E_FAILOVER_STORE SET SCHEMA_VERSION = 2");
    assertThat(unreadable(store, one)).isEqualTo(1);
    assertThat(store.unreadable()).containsExactly(Map.entry(Reason.TAMPERED, 3L));
  }

  private static void move(TestDatabase database, StoreKey from, StoreKey to) throws SQLException {
    execute(
        database,
        """
        INSERT INTO E_FAILOVER_STORE (FAILOVER_NAME, FAILOVER_KEY, AS_OF, EXPIRE_ON, PAYLOAD,
               PAYLOAD_CLASS, SCHEMA_VERSION, CONTENT_HASH, TOMBSTONE)
        SELECT '%s', '%s', AS_OF, EXPIRE_ON, PAYLOAD, PAYLOAD_CLASS, SCHEMA_VERSION, CONTENT_HASH,
               TOMBSTONE FROM E_FAILOVER_STORE WHERE FAILOVER_NAME = '%s' AND FAILOVER_KEY = '%s'
        """
            .formatted(to.name(), to.id(), from.name(), from.id()));
  }

  private static long unreadable(EncryptingFailoverStore store, StoreKey... keys) {
    return store.findAll(List.of(keys)).stream().filter(it -> it.payload().isDamaged()).count();
  }

  @EachDatabase
  void aRowThatWasCutOffIsNoticedByItsHash(TestDatabase database) throws Exception {
    EncryptingFailoverStore store = new EncryptingFailoverStore(table(database), CIPHER);
    store.store(answer(key("1"), "a"));
    execute(
        database,
        "UPDATE E_FAILOVER_STORE SET PAYLOAD = (SELECT s FROM (SELECT SUBSTRING(PAYLOAD FROM 1 FOR"
            + " 20) AS s FROM E_FAILOVER_STORE) t)");
    assertThat(unreadable(store, key("1"))).isEqualTo(1);
    assertThat(store.unreadable()).containsEntry(Reason.DAMAGED, 1L);
  }

  @EachDatabase
  void rowsOfBothKindsLieSideBySide(TestDatabase database) throws Exception {
    JdbcFailoverStore table = table(database);
    EncryptingFailoverStore on = new EncryptingFailoverStore(table, CIPHER);
    EncryptingFailoverStore off =
        new EncryptingFailoverStore(table, PayloadEncryption.off().reading(CIPHER));
    on.store(answer(key("encrypted"), "e"));
    off.store(answer(key("plain"), "p"));
    byte[] envelope = table.find(key("encrypted")).orElseThrow().payload().bytes();
    off.store(answer(key("like"), Payload.ofBytes("a.Type", 1, envelope)));
    on.store(answer(key("tombstone"), Payload.tombstone("a.Type", 1)));
    List<StoreKey> keys = List.of(key("encrypted"), key("plain"), key("like"));
    for (EncryptingFailoverStore each : List.of(on, off)) {
      assertThat(each.findAll(keys))
          .extracting(it -> it.payload().bytes())
          .containsExactlyInAnyOrder(new byte[] {'e'}, new byte[] {'p'}, envelope);
      Payload tombstone = each.find(key("tombstone")).orElseThrow().payload();
      assertThat(tombstone.isTombstone()).isTrue();
      assertThat(tombstone.bytes()).isEmpty();
      assertThat(each.unreadable()).isEmpty();
    }
  }
}
