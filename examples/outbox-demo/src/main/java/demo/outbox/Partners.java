package demo.outbox;

import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Those who hear of orders: mail, warehouse, bank and archive. Safe for use by many threads. */
final class Partners {
  private final PrintStream out;
  private final CountDownLatch printing = new CountDownLatch(1);
  private final CountDownLatch printerRepaired = new CountDownLatch(1);
  private final AtomicInteger payments = new AtomicInteger();
  private final AtomicInteger archivings = new AtomicInteger();
  private volatile boolean diskFull = true;

  Partners(PrintStream out) {
    this.out = out;
  }

  void mail(OrderEvent.Placed event) {
    out.println("   mail: confirmed order " + event.order());
  }

  void print(OrderEvent.Picked event) throws InterruptedException {
    printing.countDown();
    printerRepaired.await();
    out.println("   warehouse: printed order " + event.order());
  }

  void awaitPrinting() throws InterruptedException {
    printing.await();
  }

  void repairPrinter() {
    printerRepaired.countDown();
  }

  void book(OrderEvent.Paid event) {
    int attempt = payments.incrementAndGet();
    if (attempt == 1) {
      out.println("   bank: attempt 1, no answer");
      throw new IllegalStateException("the bank does not answer");
    }
    out.println("   bank: attempt " + attempt + ", booked order " + event.order());
  }

  void archive(OrderEvent.Archived event) {
    if (diskFull) {
      out.println("   archive: attempt " + archivings.incrementAndGet() + ", no room");
      throw new IllegalStateException("the archive's disk is full");
    }
    out.println("   archive: stored order " + event.order());
  }

  void makeRoom() {
    diskFull = false;
  }
}
