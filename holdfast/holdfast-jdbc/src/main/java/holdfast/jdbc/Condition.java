package holdfast.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The condition of a statement and the values for its placeholders, kept together so that they stay
 * in step. Confined to one thread.
 */
public final class Condition {
  private final StringBuilder text = new StringBuilder();
  private final List<Value> values = new ArrayList<>();

  /** Binds the values of one comparison. */
  @FunctionalInterface
  public interface Value {

    /** Binds them, in the order of the text. */
    void bind(Sql sql) throws SQLException;
  }

  /** Creates a condition that every row fulfils. */
  public Condition() {}

  /** Narrows the condition to rows for which a comparison holds. */
  public Condition and(String comparison, Value value) {
    text.append(text.isEmpty() ? " WHERE " : " AND ").append(comparison);
    values.add(value);
    return this;
  }

  /** Narrows the condition by a comparison without values. */
  public Condition and(String comparison) {
    return and(comparison, sql -> {});
  }

  /** Binds all values, in order. */
  public void bind(Sql sql) throws SQLException {
    for (Value value : values) {
      value.bind(sql);
    }
  }

  /** Returns the text, with the word WHERE unless it is empty. */
  @Override
  public String toString() {
    return text.toString();
  }
}
