package failover.jdbc;

import holdfast.jdbc.Dialect;
import java.util.Collections;
import java.util.List;

/** The statements for one database. Immutable. */
record Statements(Dialect dialect, Tables tables, String upsert) {
  private static final String COLUMNS =
      "FAILOVER_NAME, FAILOVER_KEY, EXPIRE_ON, PAYLOAD, PAYLOAD_CLASS, SCHEMA_VERSION,"
          + " CONTENT_HASH, TOMBSTONE, AS_OF, CHANGED_ON";

  /** Limits the number of rows first; then reads the sizes of their contents. */
  private static final String ENTRIES =
      """
      SELECT s.FAILOVER_KEY, s.AS_OF, s.EXPIRE_ON, s.PAYLOAD_CLASS, s.SCHEMA_VERSION, s.TOMBSTONE,
             OCTET_LENGTH(s.PAYLOAD)
        FROM %1$s s
        JOIN (SELECT FAILOVER_NAME, FAILOVER_KEY FROM %1$s WHERE FAILOVER_NAME = ?
               ORDER BY AS_OF DESC LIMIT ?) newest
          ON newest.FAILOVER_NAME = s.FAILOVER_NAME AND newest.FAILOVER_KEY = s.FAILOVER_KEY
       ORDER BY s.AS_OF DESC
      """;

  /** By the database's clock, so that it does not matter whether those of the nodes differ. */
  private static final String CHANGES =
      """
      SELECT FAILOVER_NAME, FAILOVER_KEY, REMOVED_ON AS AS_OF, REMOVED_ON AS EXPIRE_ON, 1 AS REMOVED
        FROM %2$s
       WHERE REMOVED_ON > %3$s
      UNION ALL
      SELECT FAILOVER_NAME, FAILOVER_KEY, AS_OF, EXPIRE_ON, 0 AS REMOVED
        FROM %1$s
       WHERE CHANGED_ON > %3$s
       ORDER BY REMOVED DESC
       LIMIT ?
      """;

  private static final String EXPIRE_ALL =
      """
      UPDATE %s SET AS_OF = GREATEST(AS_OF, ?), EXPIRE_ON = ?, CHANGED_ON = %s
       WHERE FAILOVER_NAME = ?
      """;

  private static final String FIND =
      """
      SELECT AS_OF, EXPIRE_ON, PAYLOAD, PAYLOAD_CLASS, SCHEMA_VERSION, CONTENT_HASH, TOMBSTONE,
             FAILOVER_KEY
        FROM %s
       WHERE FAILOVER_NAME = ?
      """;

  /** MERGE with typed parameters: as values of a source table they would have no type. */
  private static final String MERGE =
      """
      MERGE INTO %1$s AS t USING (SELECT 1) AS s ON (t.FAILOVER_NAME = ?1 AND t.FAILOVER_KEY = ?2)
       WHEN MATCHED AND t.AS_OF <= ?9 THEN UPDATE SET EXPIRE_ON = ?3, PAYLOAD = ?4,
            PAYLOAD_CLASS = ?5, SCHEMA_VERSION = ?6, CONTENT_HASH = ?7, TOMBSTONE = ?8, AS_OF = ?9,
            CHANGED_ON = %3$s
       WHEN NOT MATCHED THEN INSERT (%2$s) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, %3$s)
      """;

  private static final String ON_CONFLICT =
      """
      INSERT INTO %1$s AS t (%2$s) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, %3$s)
      ON CONFLICT (FAILOVER_NAME, FAILOVER_KEY) DO UPDATE SET
             EXPIRE_ON = EXCLUDED.EXPIRE_ON, PAYLOAD = EXCLUDED.PAYLOAD,
             PAYLOAD_CLASS = EXCLUDED.PAYLOAD_CLASS, SCHEMA_VERSION = EXCLUDED.SCHEMA_VERSION,
             CONTENT_HASH = EXCLUDED.CONTENT_HASH, TOMBSTONE = EXCLUDED.TOMBSTONE,
             AS_OF = EXCLUDED.AS_OF, CHANGED_ON = EXCLUDED.CHANGED_ON
       WHERE t.AS_OF <= EXCLUDED.AS_OF
      """;

  /** Assignments are made from left to right, so the guard's own column comes last. */
  private static final String ON_DUPLICATE_KEY =
      """
      INSERT INTO %1$s (%2$s) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, %3$s)
      ON DUPLICATE KEY UPDATE
             EXPIRE_ON = IF(AS_OF <= VALUES(AS_OF), VALUES(EXPIRE_ON), EXPIRE_ON),
             PAYLOAD = IF(AS_OF <= VALUES(AS_OF), VALUES(PAYLOAD), PAYLOAD),
             PAYLOAD_CLASS = IF(AS_OF <= VALUES(AS_OF), VALUES(PAYLOAD_CLASS), PAYLOAD_CLASS),
             SCHEMA_VERSION = IF(AS_OF <= VALUES(AS_OF), VALUES(SCHEMA_VERSION), SCHEMA_VERSION),
             CONTENT_HASH = IF(AS_OF <= VALUES(AS_OF), VALUES(CONTENT_HASH), CONTENT_HASH),
             TOMBSTONE = IF(AS_OF <= VALUES(AS_OF), VALUES(TOMBSTONE), TOMBSTONE),
             CHANGED_ON = IF(AS_OF <= VALUES(AS_OF), VALUES(CHANGED_ON), CHANGED_ON),
             AS_OF = GREATEST(AS_OF, VALUES(AS_OF))
      """;

  static Statements of(Dialect dialect, Tables tables) {
    String text =
        switch (dialect.upsertStyle()) {
          case MERGE_MATCHED -> MERGE;
          case ON_CONFLICT -> ON_CONFLICT;
          case ON_DUPLICATE_KEY -> ON_DUPLICATE_KEY;
        };
    return new Statements(
        dialect, tables, text.formatted(tables.answers(), COLUMNS, dialect.utcNow()));
  }

  String find() {
    return findByName() + " AND FAILOVER_KEY = ?";
  }

  private String findByName() {
    return FIND.formatted(tables.answers());
  }

  String entries() {
    return ENTRIES.formatted(tables.answers());
  }

  String changes() {
    return CHANGES.formatted(tables.answers(), tables.removals(), dialect.utcNowPlusMicros());
  }

  /** The rows of several keys of one name, with all they have or only with their moments. */
  String findAmong(int count, boolean withContent) {
    String select =
        withContent
            ? findByName()
            : "SELECT AS_OF, FAILOVER_KEY FROM %s WHERE FAILOVER_NAME = ?"
                .formatted(tables.answers());
    return select
        + " AND FAILOVER_KEY IN ("
        + String.join(", ", Collections.nCopies(count, "?"))
        + ")";
  }

  String delete() {
    return deleteAll() + " AND FAILOVER_KEY = ?";
  }

  String deleteAll() {
    return "DELETE FROM %s WHERE FAILOVER_NAME = ?".formatted(tables.answers());
  }

  String expireAll() {
    return EXPIRE_ALL.formatted(tables.answers(), dialect.utcNow());
  }

  String insertRemoval() {
    List<String> key = List.of("FAILOVER_NAME", "FAILOVER_KEY");
    return dialect.insertIfAbsent(
        tables.removals(), List.of("FAILOVER_NAME", "FAILOVER_KEY", "REMOVED_ON"), key);
  }

  String updateRemoval() {
    return "UPDATE %s SET REMOVED_ON = %s WHERE FAILOVER_NAME = ? AND FAILOVER_KEY = ?"
        .formatted(tables.removals(), dialect.utcNow());
  }

  String deleteRemovals() {
    return "DELETE FROM %s WHERE REMOVED_ON < %s"
        .formatted(tables.removals(), dialect.utcNowPlusMicros());
  }

  String expired() {
    return "SELECT FAILOVER_NAME, FAILOVER_KEY FROM %s WHERE EXPIRE_ON < ? ORDER BY EXPIRE_ON LIMIT ?"
        .formatted(tables.answers());
  }

  /** Looks at the time again: the answer may have been renewed since it was found. */
  String deleteExpired() {
    return delete() + " AND EXPIRE_ON < ?";
  }

  String count() {
    return "SELECT COUNT(*) FROM %s WHERE FAILOVER_NAME = ?".formatted(tables.answers());
  }

  /** By the database's clock, so that nodes whose clocks differ take turns all the same. */
  String takeTurn() {
    return "UPDATE %s SET NEXT_SWEEP = %s WHERE ID = 1 AND NEXT_SWEEP <= %s"
        .formatted(tables.sweep(), dialect.utcNowPlusMicros(), dialect.utcNow());
  }
}
