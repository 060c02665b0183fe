package eventlog.replay;

import eventlog.ForcePolicy;
import eventlog.LossReason;
import eventlog.send.EventLogLedger;
import eventlog.send.Requests;
import eventlog.spill.SpillDirectory;
import holdfast.retry.Backoff;
import holdfast.time.Alarm;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One go at a directory: what is in its files is sent until there is no more, or until the API
 * takes no more. Confined to one thread at a time.
 */
final class ReplayPass {
  private final Requests requests;
  private final EventLogLedger ledger;
  private final Settings settings;
  private final Alarm alarm;
  private final BooleanSupplier stopped;
  private final Set<String> sentAhead = new HashSet<>(); // keys of probes from behind a batch
  private @Nullable Unfinished unfinished;
  private final RequestSize requestSize;

  /**
   * What the passes of one logger have in common.
   *
   * @param batchSize how many events one request carries at most
   * @param maxRequestBytes how many bytes of lines, or one line
   * @param backoff how long to wait after a failure
   * @param maxRetries how often an event may be left out of an answer, and be sent again
   * @param maxTries how often an event may fail alone
   * @param policy whether progress must survive a loss of power
   */
  record Settings(
      int batchSize,
      int maxRequestBytes,
      Backoff backoff,
      int maxRetries,
      int maxTries,
      ForcePolicy policy) {}

  /** A batch that a pass has begun to send, and of which replay file of which directory it is. */
  private record Unfinished(ReplayDelivery delivery, SpillDirectory directory, long file) {}

  ReplayPass(
      Requests requests,
      EventLogLedger ledger,
      Settings settings,
      Alarm alarm,
      BooleanSupplier stopped) {
    this.requests = requests;
    this.ledger = ledger;
    this.settings = settings;
    this.alarm = alarm;
    this.stopped = stopped;
    this.requestSize = new RequestSize(settings.batchSize());
  }

  /**
   * Sends what is in the replay file, or in the active one if there is none.
   *
   * @return whether the directory has no more events to send
   * @throws IOException if the disk fails; nothing is lost by that
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  boolean run(SpillDirectory directory) throws IOException, InterruptedException {
    while (!stopped.getAsBoolean() && !requests.isRefusing() && directory.rotate()) {
      if (!sendReplayFile(directory)) {
        return false;
      }
      directory.finishReplay();
    }
    return directory.unanswered() == 0;
  }

  private boolean sendReplayFile(SpillDirectory directory)
      throws IOException, InterruptedException {
    ReplayDelivery delivery = begun(directory);
    long offset = delivery == null ? directory.replayOffset() : delivery.batch().nextOffset();
    try (LineReader lines =
        new LineReader(directory.files().replay(), offset, directory.limits().maxLineBytes())) {
      ReplayBatch next = read(lines);
      while (delivery != null || next.lines() > 0) {
        if (delivery == null) {
          delivery =
              new ReplayDelivery(next, sentAhead, requests, requestSize, settings, alarm, stopped);
          next = read(lines);
        }
        unfinished = new Unfinished(delivery, directory, directory.replayNumber());
        if (stopped.getAsBoolean() || !delivery.run(following(delivery, next, directory))) {
          return false;
        }
        boolean allTaken = delivery.refused().isEmpty();
        settle(delivery, directory);
        requestSize.settled(allTaken);
        unfinished = null;
        delivery = null;
      }
      return true;
    } catch (NoSuchFileException e) {
      return true; // taken away by somebody; the directory counts what was in it as lost
    }
  }

  /** The batch that an earlier pass has begun to send; null if there is none in this file. */
  private @Nullable ReplayDelivery begun(SpillDirectory directory) {
    Unfinished begun = unfinished;
    return begun != null
            && begun.directory().equals(directory)
            && begun.file() == directory.replayNumber()
        ? begun.delivery()
        : null;
  }

  /**
   * The events behind a batch. Behind the last one of the replay file come those of the active
   * file, which cannot be sent before it is done: they show whether the API is up.
   */
  private ReplayBatch following(ReplayDelivery delivery, ReplayBatch next, SpillDirectory directory)
      throws IOException {
    if (!delivery.hasFailed() || !next.events().isEmpty()) {
      return next;
    }
    try (LineReader lines =
        new LineReader(directory.files().active(), 0, directory.limits().maxLineBytes())) {
      return read(lines); // a line that is being written is none yet
    } catch (NoSuchFileException e) {
      return next;
    }
  }

  private ReplayBatch read(LineReader lines) throws IOException {
    return ReplayBatch.read(
        lines, requestSize.most(), settings.maxRequestBytes(), ledger.redactor());
  }

  private void settle(ReplayDelivery delivery, SpillDirectory directory) throws IOException {
    Deque<Refused> refused = delivery.refused();
    Deque<ReplayBatch.BadLine> badLines = delivery.batch().badLines();
    int taken = delivery.delivered() + delivery.refusedUnnamed();
    long lines = (long) taken + refused.size() + badLines.size();
    ledger.moving(lines);
    try {
      // One by one, as the disk may fail between two: none is set aside again.
      for (; !refused.isEmpty(); refused.remove()) {
        Refused first = refused.getFirst();
        if (!directory.setAside(first.entry(), first.reason(), first.problem())) {
          ledger.lost(first.entry(), LossReason.QUARANTINE_FULL);
        }
        directory.answered(1);
      }
      for (; !badLines.isEmpty(); badLines.remove()) {
        ReplayBatch.BadLine first = badLines.getFirst();
        if (!directory.setAside(first.bytes().array(), first.reason(), first.problem())) {
          ledger.lost(LossReason.QUARANTINE_FULL, 1);
        }
        directory.answered(1);
      }
      directory.answered(
          taken, delivery.batch().nextOffset(), settings.policy() == ForcePolicy.EACH_BATCH);
      ledger.replayed(delivery.delivered());
      ledger.refused(delivery.refusedUnnamed(), delivery.refusal());
    } finally {
      ledger.moved(lines);
    }
  }
}
