package holdfast.spring.boot;

import holdfast.ledger.Books;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The books of a room as an endpoint answers them: accepted + found = delivered + held + lost.
 * Actuator writes it as JSON and leaves out what is null. Immutable.
 *
 * @param accepted what ever entered
 * @param found what an earlier life of the process had left; null where the table is the book
 * @param delivered what reached its destination, purged or not
 * @param held what is still there
 * @param heldBy the same by place or status
 * @param lost what is gone for good
 * @param lostBy the same by reason
 * @param balanced whether everything is accounted for
 */
public record BooksAnswer(
    long accepted,
    @Nullable Long found,
    long delivered,
    long held,
    Map<String, Long> heldBy,
    long lost,
    Map<String, Long> lostBy,
    boolean balanced) {

  /** Books that a table keeps, for all nodes together. */
  public static BooksAnswer ofTable(Books books) {
    return of(books, null);
  }

  /** Books that a process keeps in memory, with what it found at its start. */
  public static BooksAnswer ofProcess(Books books) {
    return of(books, books.found());
  }

  private static BooksAnswer of(Books books, @Nullable Long found) {
    return new BooksAnswer(
        books.accepted(),
        found,
        books.delivered(),
        books.held(),
        books.measuredByPlace(),
        books.lost(),
        books.lostByReason(),
        books.isBalanced());
  }
}
