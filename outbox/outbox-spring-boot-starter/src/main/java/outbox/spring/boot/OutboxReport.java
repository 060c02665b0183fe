package outbox.spring.boot;

import holdfast.spring.boot.LedgerAnswer;
import holdfast.spring.boot.PausedAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.dispatch.OutboxDispatcher;
import outbox.jdbc.JdbcOutbox;
import outbox.spring.boot.OutboxAnswers.NodeNumbers;
import outbox.spring.boot.OutboxAnswers.Queues;
import outbox.spring.boot.OutboxAnswers.Report;

/**
 * Gathers the endpoint's numbers. Those of the node are there also while the database is not. Safe
 * for use by many threads.
 */
final class OutboxReport {
  private final JdbcOutbox outbox;
  private final ListenerBeans listeners;
  private final @Nullable OutboxCounters counters;

  OutboxReport(JdbcOutbox outbox, ListenerBeans listeners, @Nullable OutboxCounters counters) {
    this.outbox = outbox;
    this.listeners = listeners;
    this.counters = counters;
  }

  Report read() {
    try {
      String backlogAge = outbox.backlog().overdue().orElse(Duration.ZERO).toString();
      return withLedger(backlogAge, PausedAnswer.nullIfNone(outbox.control()));
    } catch (OutboxException e) {
      return new Report(null, null, null, e.getMessage(), node());
    }
  }

  /** A plain table has a backlog but no ledger. */
  private Report withLedger(String backlogAge, @Nullable Map<String, Instant> paused) {
    try {
      return new Report(LedgerAnswer.ofTable(outbox.ledger()), backlogAge, paused, null, node());
    } catch (OutboxException e) {
      return new Report(null, backlogAge, paused, e.getMessage(), node());
    }
  }

  private NodeNumbers node() {
    OutboxDispatcher dispatcher = outbox.dispatcher();
    return new NodeNumbers(
        dispatcher.inFlight(),
        new Queues(dispatcher.hotDepth(), dispatcher.coldDepth()),
        counters == null ? null : counters.oldestLag().toString(),
        counters == null ? null : counters.counts(),
        listeners.types());
  }
}
