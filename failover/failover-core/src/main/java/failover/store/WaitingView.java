package failover.store;

import failover.key.StoreKey;
import failover.store.PendingWrites.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A store as it will be when all that waits is written. Safe for use by many threads. */
record WaitingView(PendingWrites pending, FailoverStore target) {

  Optional<ReferentialPayload> find(StoreKey key) {
    Optional<Write> waiting = pending.of(key);
    return waiting.isPresent() ? waiting.flatMap(this::unlessOlder) : target.find(key);
  }

  /** What waits, or what is stored if that is newer: then the one that waits will not be kept. */
  private Optional<ReferentialPayload> unlessOlder(Write waiting) {
    ReferentialPayload young = waiting.answer();
    return young == null || waiting.removesFirst()
        ? Optional.ofNullable(young)
        : Optional.of(newest(young));
  }

  private ReferentialPayload newest(ReferentialPayload young) {
    try {
      return target.find(young.key()).filter(stored -> !young.replaces(stored)).orElse(young);
    } catch (RuntimeException e) {
      return young; // the write that waits fails for the same reason, and is reported
    }
  }

  List<ReferentialPayload> findAll(Collection<StoreKey> keys) {
    List<ReferentialPayload> found = new ArrayList<>();
    List<StoreKey> others = new ArrayList<>();
    for (StoreKey key : keys) {
      Optional<Write> waiting = pending.of(key);
      if (waiting.isEmpty()) {
        others.add(key);
      } else {
        waiting.flatMap(this::unlessOlder).ifPresent(found::add);
      }
    }
    if (!others.isEmpty()) {
      found.addAll(target.findAll(others));
    }
    return found;
  }

  Map<StoreKey, Instant> momentsOf(Collection<StoreKey> keys) {
    // What waits first: what is written in the meantime is in the store by then.
    List<Write> waiting = keys.stream().map(pending::of).flatMap(Optional::stream).toList();
    Map<StoreKey, Instant> moments = new HashMap<>(target.momentsOf(keys));
    for (Write write : waiting) {
      ReferentialPayload answer = write.answer();
      if (answer == null) {
        moments.remove(write.key());
      } else if (write.removesFirst()) {
        moments.put(write.key(), answer.asOf());
      } else {
        moments.merge(write.key(), answer.asOf(), (a, b) -> a.isAfter(b) ? a : b);
      }
    }
    return moments;
  }

  List<ReferentialPayload> findAll(String name) {
    List<Write> waiting = pending.under(name);
    Map<String, ReferentialPayload> byId = new LinkedHashMap<>();
    target.findAll(name).forEach(answer -> byId.put(answer.key().id(), answer));
    for (Write write : waiting) {
      ReferentialPayload answer = write.answer();
      if (answer == null) {
        byId.remove(write.key().id());
      } else if (write.removesFirst()) {
        byId.put(write.key().id(), answer);
      } else {
        byId.merge(write.key().id(), answer, (old, young) -> young.replaces(old) ? young : old);
      }
    }
    return List.copyOf(byId.values());
  }
}
