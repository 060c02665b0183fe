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

/**
 * One go at a directory: what is in its files is sent until there is no more, or until the API
 * takes no more. Confined to one thread at a time.
 */
final class ReplayPass {
  private final Requests requests;
  private final Accounts accounts;
  private final Settings settings;
  private final Pace pace;
  private final Alarm alarm;
  private final BooleanSupplier stopped;

  /** What the passes of one logger have in common. */
  record Settings(int batchSize, Backoff backoff, int maxRetries, ForcePolicy policy) {}

  ReplayPass(
      Requests requests,
      Accounts accounts,
      Settings settings,
      Pace pace,
      Alarm alarm,
      BooleanSupplier stopped) {
    this.requests = requests;
    this.accounts = accounts;
    this.settings = settings;
    this.pace = pace;
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
    try (LineReader lines =
        new LineReader(
            directory.files().replay(),
            directory.replayOffset(),
            directory.limits().maxLineBytes())) {
      ReplayBatch batch = ReplayBatch.read(lines, settings.batchSize(), accounts.redactor());
      while (batch.lines() > 0) {
        if (!send(batch, directory)) {
          return false;
        }
        batch = ReplayBatch.read(lines, settings.batchSize(), accounts.redactor());
      }
      return true;
    } catch (NoSuchFileException e) {
      return true; // taken away by somebody; the directory counts what was in it as lost
    }
  }

  private boolean send(ReplayBatch batch, SpillDirectory directory)
      throws IOException, InterruptedException {
    pace.beforeNext(batch.lines());
    if (stopped.getAsBoolean()) {
      return false;
    }
    ReplayDelivery delivery =
        new ReplayDelivery(requests, settings.backoff(), settings.maxRetries(), alarm);
    if (!delivery.send(batch.events())) {
      return false;
    }
    accounts.moving(batch.lines());
    try {
      settle(batch, delivery, directory);
    } finally {
      accounts.moved(batch.lines());
    }
    return true;
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
  }
}
