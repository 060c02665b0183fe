package failover.jdbc;

import failover.key.StoreKey;
import failover.store.Payload;
import failover.store.ReferentialPayload;
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
    return new ReferentialPayload(
        key,
        asOf,
        expireOn,
        row.bool() ? Payload.tombstone(type, version) : Payload.ofBytes(type, version, bytes));
  }
}
