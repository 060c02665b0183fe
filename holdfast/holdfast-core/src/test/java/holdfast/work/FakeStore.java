package holdfast.work;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A table that can lose leases, refuse outcomes and fail. Safe for use by many threads. */
final class FakeStore implements WorkStore<TestItem> {
  final Set<TestItem> gone = ConcurrentHashMap.newKeySet();
  final Set<String> refused = ConcurrentHashMap.newKeySet();
  final List<Integer> renewed = Collections.synchronizedList(new ArrayList<>());
  final List<Integer> batches = Collections.synchronizedList(new ArrayList<>());
  final List<String> retriedNow = Collections.synchronizedList(new ArrayList<>());
  final AtomicInteger waitingRetries = new AtomicInteger();
  volatile boolean broken;
  volatile Runnable onStart = () -> {};
  volatile Runnable onRenew = () -> {};
  volatile @Nullable Error error;

  @Override
  public Start start(TestItem item, boolean renew) {
    onStart.run();
    return Start.GRANTED;
  }

  @Override
  public Set<TestItem> renew(List<TestItem> items) throws Exception {
    if (broken) {
      throw new Exception("told to fail");
    }
    onRenew.run();
    renewed.add(items.size());
    return new HashSet<>(gone);
  }

  @Override
  public Set<TestItem> record(List<Ended<TestItem>> outcomes) throws Exception {
    Error fatal = error;
    if (fatal != null) {
      error = null;
      throw fatal;
    }
    if (outcomes.stream().anyMatch(ended -> refused.contains(ended.item().id()))) {
      throw new Exception("told to fail");
    }
    batches.add(outcomes.size());
    return new HashSet<>(gone);
  }

  @Override
  public int retryNow(String type, int limit) throws Exception {
    if (broken) {
      throw new Exception("told to fail");
    }
    retriedNow.add(type);
    int retried = Math.min(limit, waitingRetries.get());
    waitingRetries.addAndGet(-retried);
    return retried;
  }
}
