package holdfast.jdbc;

import java.sql.Statement;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * How many rows of the table each row of a batch touched, in order.
 *
 * <p>Drivers that rewrite batches may only know that all went well: such a count is absent here,
 * neither 0 nor 1, and who has to know asks the database. Immutable.
 */
public final class BatchCounts {

  static final BatchCounts NONE = new BatchCounts(new int[0]);

  private final int[] counts;

  BatchCounts(int[] counts) {
    this.counts = counts.clone();
  }

  /** How many rows the batch had. */
  public int size() {
    return counts.length;
  }

  /** How many rows of the table this row of the batch, counted from 0, touched; if known. */
  public OptionalInt at(int row) {
    return isKnown(counts[row]) ? OptionalInt.of(counts[row]) : OptionalInt.empty();
  }

  /** Whether every count is known. */
  public boolean areAllKnown() {
    return Arrays.stream(counts).allMatch(BatchCounts::isKnown);
  }

  private static boolean isKnown(int count) {
    return count != Statement.SUCCESS_NO_INFO;
  }

  /** The counts in order, for logs. */
  @Override
  public String toString() {
    return Arrays.toString(counts);
  }
}
