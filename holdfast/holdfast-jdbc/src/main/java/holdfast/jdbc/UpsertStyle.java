package holdfast.jdbc;

/**
 * How a database inserts a row or changes the one of its key in one statement, for statements with
 * conditions that {@link Dialect#upsert} does not know.
 */
public enum UpsertStyle {
  /** {@code MERGE INTO … WHEN MATCHED AND condition THEN UPDATE …}. */
  MERGE_MATCHED,
  /** {@code INSERT … ON CONFLICT (key) DO UPDATE … WHERE condition}. */
  ON_CONFLICT,
  /** {@code INSERT … ON DUPLICATE KEY UPDATE …}, with the condition in each assignment. */
  ON_DUPLICATE_KEY
}
