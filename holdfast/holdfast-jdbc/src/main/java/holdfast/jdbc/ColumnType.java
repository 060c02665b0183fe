package holdfast.jdbc;

/**
 * The type of a column, from the metadata.
 *
 * @param code one of {@link java.sql.Types}
 * @param name the database's name of it
 */
record ColumnType(int code, String name) {}
