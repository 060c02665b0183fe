package eventlog.send;

import holdfast.lifecycle.Deadline;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** The sender threads. Safe for use by many threads. */
public final class Senders {
  private final List<Sender> senders = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /**
   * Senders that are not started.
   *
   * @param route the way ahead
   * @param count how many
   * @param batchSize how many events one request carries at most
   * @param maxBytes how many bytes of memory the events have that one sender takes, or one event
   * @param maxBatchWait how long to wait for a batch to fill
   * @param factory makes the threads
   * @param time the clock
   */
  public Senders(
      Route route,
      int count,
      int batchSize,
      long maxBytes,
      Duration maxBatchWait,
      ThreadFactory factory,
      TimeSource time) {
    for (int i = 0; i < count; i++) {
      Sender sender = new Sender(route, batchSize, maxBytes, maxBatchWait, time);
      senders.add(sender);
      threads.add(factory.newThread(sender));
    }
  }

  /** Starts the threads. */
  public void start() {
    threads.forEach(Thread::start);
  }

  /** How many events are in the hands of senders. */
  public long inHand() {
    return senders.stream().mapToLong(Sender::unsettled).sum();
  }

  /** Whether to send what there is without waiting for batches to fill. */
  public void hurry(boolean on) {
    senders.forEach(sender -> sender.hurry(on));
  }

  /** Lets the senders empty the queue and end. */
  public void stop() {
    senders.forEach(Sender::stop);
  }

  /** Interrupts the senders that have not ended. */
  public void interrupt() {
    threads.forEach(Thread::interrupt);
  }

  /**
   * Waits for the senders to end after they were stopped.
   *
   * @param deadline how long to wait for all of them
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  public void awaitEnd(Deadline deadline) throws InterruptedException {
    for (Thread thread : threads) {
      deadline.join(thread);
    }
  }

  /** Returns how many sender threads have not ended. */
  public int stillRunning() {
    return (int) threads.stream().filter(Thread::isAlive).count();
  }

  /** What is still in the hands of senders that did not end; it is the caller's now. */
  public List<InFlightEvent> abandoned() {
    List<InFlightEvent> left = new ArrayList<>();
    for (Sender sender : senders) {
      sender.inHand().stream().filter(InFlightEvent::claim).forEach(left::add);
    }
    return left;
  }
}
