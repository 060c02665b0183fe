package eventbus.work;

import eventbus.Claim;
import eventbus.table.EventStore;
import holdfast.lease.LeaseRenewal;
import holdfast.lease.LeaseTimes;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Everything this node has in hand, from its claim until its mark is written. At most one suspect
 * is in hand. Safe for use by many threads.
 */
final class Hand implements LeaseRenewal.Hand<Delivery> {
  private final EventStore store;
  private final LeaseTimes lease;
  private final ConcurrentMap<Long, Delivery> deliveries = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Integer> byType = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Delivery> suspect = new AtomicReference<>();

  Hand(EventStore store, LeaseTimes lease) {
    this.store = store;
    this.lease = lease;
  }

  void add(Delivery delivery) {
    if (delivery.isSuspect()) {
      suspect.set(delivery);
    }
    byType.merge(delivery.event().type(), 1, Integer::sum);
    deliveries.put(delivery.event().id(), delivery);
  }

  void release(Delivery delivery) {
    if (deliveries.remove(delivery.event().id(), delivery)) {
      byType.computeIfPresent(delivery.event().type(), (type, n) -> n == 1 ? null : n - 1);
    }
    suspect.compareAndSet(delivery, null);
  }

  @SuppressWarnings("ReferenceEquality") // the same event may come a second time
  boolean has(Delivery delivery) {
    return deliveries.get(delivery.event().id()) == delivery;
  }

  /** The events in hand, at this moment. */
  List<Long> ids() {
    return List.copyOf(deliveries.keySet());
  }

  int count(String type) {
    return byType.getOrDefault(type, 0);
  }

  boolean hasSuspect() {
    return suspect.get() != null;
  }

  @Override
  public Collection<Delivery> all() {
    return deliveries.values();
  }

  @Override
  public Set<Delivery> renew(List<Delivery> leases) {
    List<Claim> claims = leases.stream().map(delivery -> delivery.event().claim()).toList();
    Set<Long> gone = store.renew(claims, lease.length());
    Set<Delivery> lost = new HashSet<>();
    leases.stream().filter(delivery -> gone.contains(delivery.event().id())).forEach(lost::add);
    return lost;
  }

  @Override
  public void lost(Delivery delivery) {
    release(delivery);
  }
}
