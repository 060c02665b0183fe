package eventlog.send;

import static java.lang.System.Logger.Level.ERROR;

import holdfast.log.LibraryLogger;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One thread's work: collect a batch, send it, again. Safe for use by many threads; one runs it.
 */
final class Sender implements Runnable {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");
  private static final Duration LONG = Duration.ofDays(1);

  /** How long to wait without the alarm: where events come, nobody who logs pays for waking. */
  private static final Duration NAP = Duration.ofMillis(1);

  /** How soon to look again while neither the API nor the disk takes anything. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final EventQueue queue;
  private final Requests requests;
  private final EventLogLedger ledger;
  private final Delivery delivery;
  private final TimeSource time;
  private final int batchSize;
  private final long maxBytes;
  private final Duration maxBatchWait;
  private final QueueThresholdAlarm alarm;

  /** By the machine's clock: napping spares others work and says nothing about time. */
  private final Alarm nap = TimeSource.system().newAlarm();

  private volatile List<InFlightEvent> inHand = List.of();
  private volatile boolean stopping;
  private volatile boolean hurrying;
  private boolean busy; // whether events came lately; confined to the thread

  Sender(Route route, int batchSize, long maxBytes, Duration maxBatchWait, TimeSource time) {
    this.queue = route.queue();
    this.requests = route.requests();
    this.ledger = route.ledger();
    this.delivery = new Delivery(route);
    this.time = time;
    this.batchSize = batchSize;
    this.maxBytes = maxBytes;
    this.maxBatchWait = maxBatchWait;
    this.alarm = new QueueThresholdAlarm(time);
    queue.wakes(alarm);
  }

  /** How many events are in its hands, not yet settled. */
  long unsettled() {
    return inHand.stream().filter(event -> !event.get()).count();
  }

  /** The events in its hands; whoever claims one of them decides what becomes of it. */
  List<InFlightEvent> inHand() {
    return inHand;
  }

  /** Lets it end as soon as it finds the queue empty, or can send nothing. */
  void stop() {
    stopping = true;
    alarm.ring();
  }

  /** Whether to send what there is without waiting for a batch to fill. */
  void hurry(boolean on) {
    hurrying = on;
    alarm.ring();
  }

  @Override
  public void run() {
    ledger.enterOwnWork();
    while (true) {
      try {
        if (!work()) {
          return;
        }
      } catch (InterruptedException e) {
        if (stopping) {
          return; // what is left in the queue is looked after by the shutdown
        }
      } catch (RuntimeException | Error e) {
        // A defect must not end the sending of all events that follow.
        LOG.log(ERROR, "eventlog sender failed", e);
      }
    }
  }

  /** Handles one batch, or waits for one; false when it is time to end. */
  private boolean work() throws InterruptedException {
    if (stopping && Thread.currentThread().isInterrupted()) {
      return false; // time is up
    }
    int appetite = delivery.appetite(batchSize);
    if (appetite == 0) {
      if (stopping) {
        return false;
      }
      alarm.await(shorter(requests.rest(), overflowPause()));
      return true;
    }
    List<InFlightEvent> batch = new ArrayList<>(appetite);
    int taken = queue.drain(batch, appetite, maxBytes);
    if (taken == 0) {
      if (stopping) {
        return false;
      }
      awaitFirst();
      return true;
    }
    ledger.moving(taken);
    busy = true;
    inHand = batch;
    ledger.moved(taken);
    try {
      inHand = fill(batch, appetite);
      delivery.deliver(inHand);
    } finally {
      inHand = List.of();
    }
    return true;
  }

  private void awaitFirst() throws InterruptedException {
    if (busy) {
      busy = false;
      nap.await(NAP);
    } else {
      alarm.await(queue, 1, LONG);
    }
  }

  private Duration overflowPause() {
    return delivery.canSpill() ? PAUSE : LONG;
  }

  /** Waits a moment for more events to come, so that one request carries many. */
  private List<InFlightEvent> fill(List<InFlightEvent> first, int most) {
    List<InFlightEvent> batch = first;
    long startedAt = time.nanoTime();
    boolean quiet = false;
    long room = maxBytes - bytes(batch);
    while (batch.size() < most && room > 0 && !stopping && !hurrying) {
      Duration left = maxBatchWait.minusNanos(time.nanoTime() - startedAt);
      if (left.isNegative() || left.isZero()) {
        break;
      }
      try {
        if (quiet) {
          alarm.await(queue, most - batch.size(), left);
        } else {
          nap.await(shorter(left, NAP));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break; // with what is in hand: nobody else would look after it
      }
      List<InFlightEvent> more = new ArrayList<>(batch);
      int taken = queue.drain(more, most - batch.size(), room);
      quiet = taken == 0;
      ledger.moving(taken);
      batch = more;
      room = maxBytes - bytes(batch);
      inHand = batch; // as a new list: others read it
      ledger.moved(taken);
    }
    return batch;
  }

  private static long bytes(List<InFlightEvent> batch) {
    long bytes = 0;
    for (InFlightEvent event : batch) {
      bytes += event.bytes();
    }
    return bytes;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
