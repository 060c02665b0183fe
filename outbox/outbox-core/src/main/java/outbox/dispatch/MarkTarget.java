package outbox.dispatch;

import holdfast.jdbc.Isolation;
import holdfast.jdbc.Transactions;
import holdfast.lease.LeaseRenewal;
import holdfast.lease.MarkWriter;
import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import outbox.spi.MetricsExporter;

/** Where marks go: into the table, all of a batch in one transaction. */
final class MarkTarget implements MarkWriter.Target<Mark, Delivery> {
  private final Transactions transactions;
  private final MarkStatements statements;
  private final MetricsExporter metrics;
  private final Settlement settlement;

  MarkTarget(
      Transactions transactions,
      MarkStatements statements,
      MetricsExporter metrics,
      Settlement settlement) {
    this.transactions = transactions;
    this.statements = statements;
    this.metrics = metrics;
    this.settlement = settlement;
  }

  /** Who writes here, and keeps what is in hand; not started. */
  MarkWriter<Mark, Delivery> writer(LeasedHand hand, Outage outage, TimeSource time) {
    LeaseRenewal<Delivery> renewal = new LeaseRenewal<>(outage, hand.times(), hand, time);
    return new MarkWriter<>("outbox", this, renewal, outage, time);
  }

  @Override
  public void write(List<Mark> marks) throws SQLException {
    int stale = transactionsFor(marks).call(conn -> statements.write(conn, marks));
    for (int i = 0; i < stale; i++) {
      metrics.incrementStaleMarks();
    }
  }

  @Override
  public void written(Mark mark) {
    settlement.accept(mark);
  }

  @Override
  public boolean isUrgent(Mark mark) {
    return mark.isUrgent();
  }

  @Override
  public Mark givenBack(Delivery delivery) {
    return new Mark(delivery, new Outcome.GivenBack(Duration.ZERO));
  }

  /** What was set aside while a mark waited for its row must be seen, to be woken. */
  private Transactions transactionsFor(List<Mark> marks) {
    return marks.stream().anyMatch(Mark::closesForOthers)
        ? transactions.withIsolation(Isolation.READ_COMMITTED)
        : transactions;
  }
}
