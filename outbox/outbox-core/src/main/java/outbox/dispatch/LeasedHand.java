package outbox.dispatch;

import holdfast.jdbc.Transactions;
import holdfast.lease.LeaseRenewal;
import holdfast.lease.LeaseTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.model.Held;
import outbox.model.LeaseTerms;
import outbox.spi.LeaseStore;

/** What this node has in hand, as far as it is leased from the store. */
final class LeasedHand implements LeaseRenewal.Hand<Delivery> {
  /** Without leases nobody else would take what waits here. */
  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  private final InHand inHand;
  private final Transactions transactions;
  private final @Nullable LeaseStore store;
  private final LeaseSettings settings;

  LeasedHand(
      InHand inHand,
      Transactions transactions,
      @Nullable LeaseStore store,
      LeaseSettings settings) {
    this.inHand = inHand;
    this.transactions = transactions;
    this.store = store;
    this.settings = settings;
  }

  LeaseTimes times() {
    return new LeaseTimes(
        settings.length(),
        settings.renewEvery(),
        settings.drift(),
        store == null ? FOR_EVER : settings.maxQueueWait());
  }

  @Override
  public Collection<Delivery> all() {
    return inHand.all();
  }

  @Override
  public Set<Delivery> renew(List<Delivery> deliveries) throws SQLException {
    LeaseStore leases = store;
    List<Held> held = new ArrayList<>();
    for (Delivery delivery : deliveries) {
      Held lease = delivery.held();
      if (lease != null) {
        held.add(lease);
      }
    }
    if (leases == null || held.isEmpty()) {
      return Set.of();
    }
    LeaseTerms terms = new LeaseTerms(settings.node(), settings.length());
    Set<String> gone = transactions.call(conn -> leases.renew(conn, held, terms));
    Set<Delivery> lost = new HashSet<>();
    deliveries.stream()
        .filter(d -> d.held() != null && gone.contains(d.eventId()))
        .forEach(lost::add);
    return lost;
  }

  @Override
  public void lost(Delivery delivery) {
    inHand.release(delivery);
  }
}
