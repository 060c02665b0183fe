package failover.jdbc;

import failover.key.StoreKey;
import failover.store.FailoverStore.StoreChange;
import failover.store.FailoverStore.StoredEntry;
import failover.store.ReferentialPayload;
import failover.store.ReferentialPayload.Payload;
import holdfast.jdbc.Row;
import holdfast.jdbc.Sql;
import java.sql.SQLException;
import java.time.Instant;

/** A stored answer as a row. Stateless. */
final class AnswerRow {
  private static final int LONGEST_TYPE = 256;

  private AnswerRow() {}

  static Sql bind(Sql sql, ReferentialPayload answer, byte[] bytes) throws SQLException {
    Payload payload = answer.payload();
    String type = payload.type();
    return sql.bind(answer.key().name())
        .bind(answer.key().id())
        .bind(answer.expireOn())
        .bind(bytes)
        .bind(type.length() > LONGEST_TYPE ? type.substring(0, LONGEST_TYPE) : type)
        .bind(payload.schemaVersion())
        .bind(payload.contentHash())
        .bind(payload.isTombstone())
        .bind(answer.asOf());
  }

  static ReferentialPayload read(Row row, StoreKey key) throws SQLException {
    Instant asOf = row.at("AS_OF").instant();
    Instant expireOn = row.instant();
    byte[] bytes = row.bytes();
    String type = row.string();
    int version = row.intValue();
    String hash = row.string();
    return new ReferentialPayload(
        key, asOf, expireOn, Payload.ofStored(type, version, row.bool(), bytes, hash));
  }

  static StoredEntry readEntry(Row row, String name) throws SQLException {
    return new StoredEntry(
        StoreKey.stored(name, row.string()),
        row.instant(),
        row.instant(),
        row.string(),
        row.intValue(),
        row.bool(),
        row.longValue());
  }

  static StoreChange readChange(Row row) throws SQLException {
    String name = row.string();
    String key = row.string();
    StoreChange.Moments moments = new StoreChange.Moments(row.instant(), row.instant());
    boolean isRemoval = row.intValue() == 1;
    return new StoreChange(
        name, key.equals(RemovalNote.ALL) ? null : key, isRemoval ? null : moments);
  }
}
