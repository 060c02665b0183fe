package outbox.dispatch;

import holdfast.lifecycle.CloseReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What waited in the queues of a node that closes, on its way back to the table. For one thread.
 */
final class GiveBacks {
  private final Node node;
  private final List<Delivery> offered = new ArrayList<>();
  private int refused;

  /** Hands over the marks of all that nobody runs. */
  GiveBacks(Node node, List<Delivery> waiting) {
    this.node = node;
    for (Delivery delivery : waiting) {
      if (delivery.leave()) {
        giveBack(delivery);
      }
    }
  }

  private void giveBack(Delivery delivery) {
    // Closing does not wait for room among marks that cannot be written: the lease lapses then.
    if (node.writer().offer(new Mark(delivery, new Outcome.GivenBack(Duration.ZERO)))) {
      offered.add(delivery);
    } else {
      node.inHand().release(delivery);
      refused++;
    }
  }

  /** What has become of them by now: each is back in the table or counted as unmarked. */
  CloseReport report(int stillRunning) {
    int unwritten = 0;
    for (Delivery delivery : offered) {
      unwritten += node.inHand().contains(delivery) ? 1 : 0; // let go of when it is written
    }
    int unmarked = Math.max(unwritten, node.writer().backlog()) + refused;
    return new CloseReport(offered.size() - unwritten, stillRunning, unmarked);
  }
}
