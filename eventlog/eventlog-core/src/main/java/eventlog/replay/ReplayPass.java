package eventlog.replay;

import eventlog.EventLogEntry;
import eventlog.ForcePolicy;
import eventlog.LossReason;
import eventlog.send.Accounts;
import eventlog.send.Requests;
import eventlog.spill.SpillDirectory;
import holdfast.retry.Backoff;
import holdfast.time.Alarm;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
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
  private final Pace pace;
  private final Alarm alarm;
  private final BooleanSupplier stopped;
  private @Nullable FailedBatch failedBatch;

  /** What the passes of one logger have in common. */
  record Settings(
      int batchSize, Backoff backoff, int maxRetries, int maxTries, ForcePolicy policy) {}

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
      ReplayBatch batch = read(lines);
      while (batch.lines() > 0) {
        FailedBatch before = known(directory);
        ReplayBatch next = before == null ? null : read(lines);
        if (!send(batch, next, before, directory)) {
          return false;
        }
        batch = next == null ? read(lines) : next;
      }
      return true;
    } catch (NoSuchFileException e) {
      return true; // taken away by somebody; the directory counts what was in it as lost
    }
  }

  private ReplayBatch read(LineReader lines) throws IOException {
    return ReplayBatch.read(lines, settings.batchSize(), accounts.redactor());
  }

  /** What is known of the batch that comes next; null if it has not failed before. */
  private @Nullable FailedBatch known(SpillDirectory directory) {
    FailedBatch known = failedBatch;
    return known != null && known.is(directory, directory.replayOffset()) ? known : null;
  }

  private boolean send(
      ReplayBatch batch,
      @Nullable ReplayBatch next,
      @Nullable FailedBatch before,
      SpillDirectory directory)
      throws IOException, InterruptedException {
    pace.beforeNext(batch.lines());
    if (stopped.getAsBoolean()) {
      return false;
    }
    ReplayDelivery delivery = new ReplayDelivery(requests, settings, alarm, stopped);
    if (!send(batch.events(), delivery, next, before)) {
      if (before == null && delivery.hasFailed()) {
        failedBatch = new FailedBatch(directory, directory.replayOffset(), requests.accepted());
      }
      return false;
    }
    failedBatch = null;
    accounts.moving(batch.lines());
    try {
      settle(batch, delivery, directory);
    } finally {
      accounts.moved(batch.lines());
    }
    return true;
  }

  private boolean send(
      List<EventLogEntry> events,
      ReplayDelivery delivery,
      @Nullable ReplayBatch next,
      @Nullable FailedBatch before)
      throws InterruptedException {
    if (before == null || events.isEmpty()) {
      return delivery.send(events);
    }
    EventLogEntry other = other(events, next, before);
    boolean isUnknown = other == null && !before.isAcceptedSince(requests.accepted());
    return isUnknown
        ? delivery.send(events) // nothing else says whether the API is up
        : delivery.isolate(events, other, before);
  }

  /**
   * An event to find out with whether the API is up, another one in each pass: of this batch if
   * there are several, and of the next one; null if there is none but the one that has failed.
   */
  private static @Nullable EventLogEntry other(
      List<EventLogEntry> events, @Nullable ReplayBatch next, FailedBatch before) {
    List<EventLogEntry> others = new ArrayList<>(events.size() > 1 ? events : List.of());
    if (next != null) {
      others.addAll(next.events());
    }
    return others.isEmpty() ? null : others.get(before.nextPass() % others.size());
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
