package outbox.dispatch;

import holdfast.jdbc.Isolation;
import holdfast.jdbc.Transactions;
import holdfast.lease.MarkWriter;
import holdfast.time.TimeSource;
import org.jspecify.annotations.Nullable;
import outbox.model.LeaseTerms;
import outbox.spi.EventStore;
import outbox.spi.LeaseStore;
import outbox.spi.MetricsExporter;

/** What the parts of a dispatcher share. Immutable; safe for use by many threads. */
record Node(
    EventStore store,
    Transactions transactions,
    LeaseSettings lease,
    InHand inHand,
    WorkQueues queues,
    MarkWriter<Mark, Delivery> writer,
    MetricsExporter metrics,
    DeliveryLog log,
    TimeSource time) {

  /** The store as one that lends events; null if it knows only the five plain methods. */
  @Nullable LeaseStore leases() {
    return store instanceof LeaseStore leases ? leases : null;
  }

  /**
   * Transactions to claim in: under a stricter isolation MySQL and MariaDB would lock the gaps
   * between due rows, where others insert.
   */
  Transactions claiming() {
    return transactions.withIsolation(Isolation.READ_COMMITTED);
  }

  LeaseTerms terms() {
    return new LeaseTerms(lease.node(), lease.length());
  }

  void recordDepths() {
    metrics.recordQueueDepths(queues.hotDepth(), queues.coldDepth());
  }
}
