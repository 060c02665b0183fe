package eventlog.replay;

import eventlog.ForcePolicy;
import eventlog.LossReason;
import eventlog.send.Accounts;
import eventlog.send.Requests;
import eventlog.spill.SpillDirectory;
import holdfast.retry.Backoff;
import holdfast.time.Alarm;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One go at a directory: what is in its files is sent until there is no more, or until the API
 * takes no more. Confined to one thread at a time.
 */
final class ReplayPass {
  private final Requests requests;
  private final Accounts accounts;
  private final Settings settings;
  private final Alarm alarm;
  private final BooleanSupplier stopped;
  private @Nullable Unfinished unfinished;

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
      Accounts accounts,
      Settings settings,
      Alarm alarm,
      BooleanSupplier stopped) {
    this.requests = requests;
    this.accounts = accounts;
    this.settings = settings;
    this.alarm = alarm;
    this.stopped = stopped;
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
          delivery = new ReplayDelivery(next, requests, settings, alarm, stopped);
          next = read(lines);
        }
        unfinished = new Unfinished(delivery, directory, directory.replayNumber());
        if (stopped.getAsBoolean() || !delivery.run(next)) {
          return false;
        }
        settle(delivery, directory);
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

  private ReplayBatch read(LineReader lines) throws IOException {
    return ReplayBatch.read(
        lines, settings.batchSize(), settings.maxRequestBytes(), accounts.redactor());
  }

  private void settle(ReplayDelivery delivery, SpillDirectory directory) throws IOException {
    long lines = delivery.batch().lines();
    accounts.moving(lines);
    try {
      settle(delivery.batch(), delivery, directory);
    } finally {
      accounts.moved(lines);
    }
  }

  private void settle(ReplayBatch batch, ReplayDelivery delivery, SpillDirectory directory)
      throws IOException {
    for (ReplayDelivery.Refused refused : delivery.refused()) {
      if (!directory.setAside(refused.entry(), refused.problem())) {
        accounts.lost(refused.entry(), LossReason.QUARANTINE_FULL);
      }
    }
    for (ReplayBatch.BadLine line : batch.badLines()) {
      if (!directory.setAside(line.bytes().array(), line.reason(), line.problem())) {
        accounts.lost(LossReason.QUARANTINE_FULL, 1);
      }
    }
    directory.answered(
        batch.lines(), batch.nextOffset(), settings.policy() == ForcePolicy.EACH_BATCH);
    accounts.replayed(delivery.delivered());
    accounts.refused(delivery.refusedUnnamed(), delivery.refusal());
  }
}
