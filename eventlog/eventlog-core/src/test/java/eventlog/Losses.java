package eventlog;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What a callback was told: key and reason of each loss. Safe for use by many threads. */
public final class Losses implements EventLossCallback {
  private final Queue<String> told = new ConcurrentLinkedQueue<>();

  @Override
  public void onEventLoss(EventLogEntry event, String reason) {
    told.add(event.idempotencyKey() + " " + reason);
  }

  /** The losses in the order they were told, each as {@code key reason}. */
  public List<String> told() {
    return List.copyOf(told);
  }
}
