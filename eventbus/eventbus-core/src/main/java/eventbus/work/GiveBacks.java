package eventbus.work;

import holdfast.lease.MarkWriter;
import holdfast.lifecycle.CloseReport;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a node that closes has not begun, on its way back to the table. Safe for use by many
 * threads.
 */
final class GiveBacks {
  private final MarkWriter<Mark, Delivery> writer;
  private final Hand hand;
  private final Queue<Delivery> offered = new ConcurrentLinkedQueue<>();
  private final AtomicInteger refused = new AtomicInteger();

  GiveBacks(MarkWriter<Mark, Delivery> writer, Hand hand) {
    this.writer = writer;
    this.hand = hand;
  }

  void add(Delivery delivery) {
    // Closing does not wait for room among marks that cannot be written: the claim lapses then.
    if (writer.offer(Mark.givenBack(delivery))) {
      offered.add(delivery);
    } else {
      hand.release(delivery);
      refused.incrementAndGet();
    }
  }

  /** What has become of them by now: each is back in the table or counted as unwritten. */
  CloseReport report(int stillRunning) {
    int waiting = (int) offered.stream().filter(hand::has).count(); // let go of when written
    int unwritten = Math.max(waiting, writer.backlog()) + refused.get();
    return new CloseReport(offered.size() - waiting, stillRunning, unwritten);
  }
}
