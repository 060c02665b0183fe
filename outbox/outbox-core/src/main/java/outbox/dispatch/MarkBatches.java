package outbox.dispatch;

import static java.lang.System.Logger.Level.ERROR;

import holdfast.jdbc.Isolation;
import holdfast.jdbc.Transactions;
import java.sql.SQLException;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import outbox.spi.MetricsExporter;

/**
 * Writes marks in one transaction, or one by one if that fails, so that one that cannot be written
 * does not keep the others. Confined to the status writer's thread.
 */
final class MarkBatches {
  private static final int FAILURES_OF_A_DATABASE = 3;
  private static final System.Logger LOG = System.getLogger("outbox");

  private final Transactions transactions;
  private final MarkStatements statements;
  private final MetricsExporter metrics;
  private final Consumer<Mark> written;
  private @Nullable Exception trouble;

  MarkBatches(
      Transactions transactions,
      MarkStatements statements,
      MetricsExporter metrics,
      Consumer<Mark> written) {
    this.transactions = transactions;
    this.statements = statements;
    this.metrics = metrics;
    this.written = written;
  }

  /** Why the last mark that was refused could not be written. */
  @Nullable Exception trouble() {
    return trouble;
  }

  /** Writes what can be written and leaves the rest; tells whether anything was. */
  boolean writeSome(Deque<Mark> marks) {
    if (marks.isEmpty()) {
      return false;
    }
    List<Mark> all = List.copyOf(marks);
    if (isWritten(all)) {
      marks.clear();
      all.forEach(this::settle);
      return true;
    }
    return marks.size() > 1 && writeOneByOne(marks);
  }

  /** What cannot be written goes to the end of the line; several in a row mean the database. */
  private boolean writeOneByOne(Deque<Mark> marks) {
    int before = marks.size();
    int inARow = 0;
    for (int i = 0; i < before && inARow < FAILURES_OF_A_DATABASE; i++) {
      Mark mark = marks.getFirst();
      boolean isWritten = isWritten(List.of(mark));
      marks.removeFirst();
      if (isWritten) {
        inARow = 0;
        settle(mark);
      } else {
        inARow++;
        marks.addLast(mark);
      }
    }
    return marks.size() < before;
  }

  private boolean isWritten(List<Mark> marks) {
    try {
      int stale = transactionsFor(marks).call(conn -> statements.write(conn, marks));
      for (int i = 0; i < stale; i++) {
        metrics.incrementStaleMarks();
      }
      return true;
    } catch (SQLException | RuntimeException e) {
      trouble = e;
      return false;
    }
  }

  /** What was set aside while a mark waited for its row must be seen, to be woken. */
  private Transactions transactionsFor(List<Mark> marks) {
    return marks.stream().anyMatch(Mark::closesForOthers)
        ? transactions.withIsolation(Isolation.READ_COMMITTED)
        : transactions;
  }

  /** What is written stays written, whatever those who are told make of it. */
  private void settle(Mark mark) {
    try {
      written.accept(mark);
    } catch (RuntimeException e) {
      LOG.log(ERROR, "outbox could not report eventId=" + mark.delivery().eventId(), e);
    }
  }
}
