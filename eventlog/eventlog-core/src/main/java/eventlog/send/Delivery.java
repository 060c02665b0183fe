package eventlog.send;

import static java.lang.System.Logger.Level.DEBUG;

import eventlog.EventLogEntry;
import eventlog.LossReason;
import eventlog.spi.Answer;
import eventlog.spi.EntryWriter;
import eventlog.spi.JsonBuffer;
import eventlog.spi.UnwritableEntryException;
import holdfast.log.LibraryLogger;
import holdfast.retry.Backoff;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What becomes of a batch: every event in it is delivered, tried again, spilled, set aside or lost.
 * Confined to one sender.
 */
final class Delivery {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");

  private static final int SCRATCH_BYTES = 4096;

  /** A buffer that one long event has blown up is not kept. */
  private static final int LARGEST_KEPT = 1024 * 1024;

  /** What a request has beside its events. */
  private static final int FRAME_BYTES = 16;

  private final EventQueue queue;
  private final Requests requests;
  private final Retries retries;
  private final Overflow overflow;
  private final EventLogLedger ledger;
  private final EntryWriter writer;
  private final Backoff backoff;
  private final int maxRetries;
  private final int maxRequestBytes;
  private JsonBuffer scratch = new JsonBuffer(SCRATCH_BYTES);

  Delivery(Route route) {
    this.queue = route.queue();
    this.requests = route.requests();
    this.retries = route.retries();
    this.overflow = route.overflow();
    this.ledger = route.ledger();
    this.writer = route.writer();
    this.backoff = route.backoff();
    this.maxRetries = route.maxRetries();
    this.maxRequestBytes = route.maxRequestBytes();
  }

  /** How many events a sender may take now: none if they could neither be sent nor spilled. */
  int appetite(int batchSize) {
    if (!requests.isRefusing()) {
      return batchSize;
    }
    boolean spills = overflow.isOn() && !requests.isPausedShortly();
    return spills ? Math.min(batchSize, overflow.room()) : 0;
  }

  boolean canSpill() {
    return overflow.isOn();
  }

  void deliver(List<InFlightEvent> batch) {
    try {
      List<InFlightEvent> sendable = new ArrayList<>(batch.size());
      long bytes = FRAME_BYTES;
      for (InFlightEvent event : batch) {
        if (!isRedacted(event) || !isWritable(event)) {
          continue;
        }
        int more = scratch.length() + 1; // and a comma
        if (!sendable.isEmpty() && bytes + more > maxRequestBytes) {
          send(sendable);
          sendable = new ArrayList<>();
          bytes = FRAME_BYTES;
        }
        sendable.add(event);
        bytes += more;
      }
      if (!sendable.isEmpty()) {
        send(sendable);
      }
    } finally {
      // Nothing is left, unless a defect or an exhausted machine cut this short.
      for (InFlightEvent event : batch) {
        if (event.claim()) {
          overflow.take(event, LossReason.RETRIES_EXHAUSTED);
        }
      }
    }
  }

  private boolean isRedacted(InFlightEvent event) {
    if (ledger.redactor().redact(event)) {
      return true;
    }
    if (event.claim()) {
      ledger.lost(event, LossReason.REDACTION_FAILED);
    }
    return false;
  }

  private boolean isWritable(InFlightEvent event) {
    if (scratch.array().length > LARGEST_KEPT) {
      scratch = new JsonBuffer(SCRATCH_BYTES);
    }
    try {
      scratch.truncate(0);
      writer.write(event.entry(), scratch);
      return true;
    } catch (UnwritableEntryException e) {
      LOG.log(DEBUG, "eventlog unwritable", e);
      if (event.claim()) {
        ledger.lost(event, e.reason());
      }
      return false;
    }
  }

  /**
   * Sends events; those that the API rejects in halves, until each one is found that it rejects.
   */
  private void send(List<InFlightEvent> events) {
    Deque<List<InFlightEvent>> parts = new ArrayDeque<>(List.of(events));
    boolean accepted = false;
    for (List<InFlightEvent> part = parts.poll(); part != null; part = parts.poll()) {
      Answer answer = requests.send(entries(part), accepted);
      if (answer == null) {
        part.forEach(this::keepAway);
      } else if (answer.kind() == Answer.Kind.REJECTED && part.size() > 1) {
        int half = part.size() / 2; // behind the others: what the API accepts is known sooner
        parts.add(part.subList(0, half));
        parts.add(part.subList(half, part.size()));
      } else {
        accepted |= answer.hasTakenSomeOf(part.size());
        conclude(part, answer);
      }
    }
  }

  private void conclude(List<InFlightEvent> batch, Answer answer) {
    ledger.moving(batch.size());
    try {
      switch (answer.kind()) {
        case DELIVERED -> settle(batch, answer);
        case LATER -> retryLater(batch);
        case BROKEN -> batch.forEach(this::keepAway);
        case REJECTED -> setAside(batch.get(0), answer.problem());
      }
    } finally {
      ledger.moved(batch.size());
    }
  }

  private static List<EventLogEntry> entries(List<InFlightEvent> batch) {
    List<EventLogEntry> entries = new ArrayList<>(batch.size());
    for (InFlightEvent event : batch) {
      entries.add(event.entry());
    }
    return entries;
  }

  private void settle(List<InFlightEvent> batch, Answer answer) {
    if (answer.refused() >= batch.size()) {
      batch.forEach(event -> setAside(event, answer.problem()));
      return;
    }
    Set<Integer> failed = new HashSet<>();
    answer.failures().forEach(failure -> failed.add(failure.index()));
    List<InFlightEvent> again = new ArrayList<>();
    int delivered = 0;
    for (int i = 0; i < batch.size(); i++) {
      if (failed.contains(i)) {
        again.add(batch.get(i));
      } else if (batch.get(i).claim()) {
        delivered++;
      }
    }
    int refused = Math.min(answer.refused(), delivered);
    ledger.delivered(delivered - refused);
    ledger.refused(refused, answer.problem());
    retryLater(again);
  }

  private void retryLater(List<InFlightEvent> batch) {
    for (InFlightEvent event : batch) {
      if (event.claim()) {
        retryLater(event.afterFailure());
      }
    }
  }

  private void retryLater(InFlightEvent event) {
    if (event.attempts() > maxRetries) {
      overflow.take(event, LossReason.RETRIES_EXHAUSTED);
      return;
    }
    switch (retries.schedule(event, backoff.delay(event.attempts()))) {
      case SCHEDULED -> {}
      case FULL -> overflow.take(event, LossReason.RETRY_REQUEUE_FAILED);
      case STOPPED -> overflow.take(event, LossReason.RETRY_EXECUTOR_REJECTED);
    }
  }

  /** The API is left alone: the event goes to disk, or back to the queue. */
  private void keepAway(InFlightEvent event) {
    if (!event.claim()) {
      return;
    }
    boolean waits = requests.isPausedShortly() && queue.putBack(event.again());
    if (waits) {
      return;
    }
    if (overflow.isOn()) {
      overflow.take(event, LossReason.CIRCUIT_OPEN);
    } else if (!queue.putBack(event.again())) {
      ledger.lost(event, LossReason.CIRCUIT_OPEN);
    }
  }

  private void setAside(InFlightEvent rejected, String problem) {
    if (rejected.claim()) {
      overflow.setAside(rejected.entry(), problem);
    }
  }
}
