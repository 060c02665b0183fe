package eventbus.table;

import eventbus.EventBusSchema;
import holdfast.jdbc.TableName;

/**
 * The tables of a bus. Immutable.
 *
 * @param events what is to be worked on
 * @param log what is closed
 */
public record TableNames(TableName events, TableName log) {
  /** The names unless configured. */
  public static final TableNames DEFAULT =
      new TableNames(
          TableName.of(EventBusSchema.DEFAULT_EVENTS_TABLE),
          TableName.of(EventBusSchema.DEFAULT_LOG_TABLE));

  /**
   * Leaves room for the longest name made from it, {@code …_idx_finished}, within the 63 characters
   * of PostgreSQL, which would cut longer ones without a word, until two are the same.
   */
  private static final int MAX_NAME = 48;

  /**
   * The table of that name.
   *
   * @throws IllegalArgumentException if it is not a valid name, or too long for those made from it
   */
  public static TableName named(String text) {
    TableName table = TableName.of(text);
    if (table.name().length() > MAX_NAME) {
      throw new IllegalArgumentException(
          "event bus table name must have %d characters or fewer, because names of indexes are made from it, but '%s' has %d; take a shorter one"
              .formatted(MAX_NAME, table.name(), table.name().length()));
    }
    return table;
  }
}
