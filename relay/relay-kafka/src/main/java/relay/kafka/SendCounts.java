package relay.kafka;

import holdfast.lifecycle.Deadline;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The running counts of a relay. Safe for use by many threads. */
final class SendCounts {
  private final LongAdder sent = new LongAdder();
  private final LongAdder acknowledged = new LongAdder();
  private final AtomicLong inFlight = new AtomicLong();
  private volatile @Nullable CountDownLatch awaited;
  private final Map<FailureReason, LongAdder> failed = new EnumMap<>(FailureReason.class);

  SendCounts() {
    for (FailureReason reason : FailureReason.values()) {
      failed.put(reason, new LongAdder());
    }
  }

  void sent() {
    inFlight.incrementAndGet();
    sent.increment();
  }

  /** Counts an event that is not even sent. */
  void refused(FailureReason reason) {
    sent();
    failed(reason);
  }

  void acknowledged() {
    acknowledged.increment();
    left();
  }

  void failed(FailureReason reason) {
    LongAdder count = failed.get(reason);
    if (count != null) {
      count.increment();
    }
    left();
  }

  long inFlight() {
    return inFlight.get();
  }

  /** Waits until nothing is in flight, or the deadline is over. */
  void awaitNoneInFlight(Deadline deadline) {
    CountDownLatch none = new CountDownLatch(1);
    awaited = none;
    if (inFlight.get() == 0) {
      return;
    }
    deadline.awaitUninterruptibly(none);
  }

  private void left() {
    CountDownLatch none = awaited;
    if (inFlight.decrementAndGet() == 0 && none != null) {
      none.countDown();
    }
  }

  RelayLedger snapshot() {
    Map<FailureReason, Long> failedNow = new EnumMap<>(FailureReason.class);
    failed.forEach((reason, count) -> failedNow.put(reason, count.sum()));
    return new RelayLedger(sent.sum(), acknowledged.sum(), failedNow, inFlight.get());
  }
}
