package eventlog.replay;

import eventlog.EventLogEntry;
import eventlog.send.Requests;
import eventlog.spi.Answer;
import holdfast.time.Alarm;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sending of one batch from disk. Confined to the replay thread.
 *
 * <p>A batch is either settled as a whole or comes again as a whole: only then is anything written
 * down. An event is set aside when the API rejects it, leaves it out of batch after batch, or fails
 * for it alone, again and again, while it accepts other events.
 *
 * <p>A batch that has failed before may hold such an event, or the API may be down. To tell the two
 * apart, one other event is sent first, the probe. If the API accepts it, the batch is halved until
 * the events are found that fail alone. Between their tries the API must accept something else: a
 * live event, or the probe again. If it does not, it is an outage, and nothing is set aside.
 */
final class ReplayDelivery {
  /** After this many failures in a row it is asked again whether the API accepts anything. */
  private static final int FAILURES_BETWEEN_PROBES = 3;

  /** An event that the API will never take, and why. */
  record Refused(EventLogEntry entry, String problem) {}

  private final Requests requests;
  private final ReplayPass.Settings settings;
  private final Alarm alarm;
  private final BooleanSupplier stopped;
  private final List<Refused> refused = new ArrayList<>();
  private @Nullable EventLogEntry probe;
  private int delivered;
  private int refusedUnnamed;
  private String refusal = "";
  private boolean failed;
  private boolean probeDelivered;

  ReplayDelivery(
      Requests requests, ReplayPass.Settings settings, Alarm alarm, BooleanSupplier stopped) {
    this.requests = requests;
    this.settings = settings;
    this.alarm = alarm;
    this.stopped = stopped;
  }

  int delivered() {
    return delivered;
  }

  List<Refused> refused() {
    return refused;
  }

  /** How many events the API has refused for good without saying which ones. */
  int refusedUnnamed() {
    return refusedUnnamed;
  }

  /** Why it has refused them. */
  String refusal() {
    return refusal;
  }

  /** Whether the API was asked and has failed, so that the batch comes again. */
  boolean hasFailed() {
    return failed;
  }

  /**
   * Sends events.
   *
   * @return false if they must come again later
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  boolean send(List<EventLogEntry> events) throws InterruptedException {
    List<EventLogEntry> left = events;
    String problem = "";
    for (int attempt = 1; !left.isEmpty(); attempt++) {
      if (attempt > settings.maxRetries() + 1) {
        for (EventLogEntry entry : left) {
          refused.add(new Refused(entry, problem));
        }
        return true;
      }
      if (attempt > 1) {
        alarm.await(settings.backoff().delay(attempt - 1));
      }
      Answer answer = requests.send(left);
      if (answer == null) {
        return false;
      }
      switch (answer.kind()) {
        case DELIVERED -> {
          left = settle(left, answer);
          problem = answer.failures().isEmpty() ? "" : answer.failures().get(0).error();
        }
        case REJECTED -> {
          return halve(left, answer.problem());
        }
        case LATER, BROKEN -> {
          failed = answer.kind() == Answer.Kind.LATER;
          return false;
        }
      }
    }
    return true;
  }

  private boolean halve(List<EventLogEntry> events, String problem) throws InterruptedException {
    if (events.size() == 1) {
      refused.add(new Refused(events.get(0), problem));
      return true;
    }
    int half = events.size() / 2;
    return send(events.subList(0, half)) && send(events.subList(half, events.size()));
  }

  /**
   * Sends events of a batch that has failed before, and sets aside those that fail alone.
   *
   * @param events the events
   * @param other another event, or one of them, to find out whether the API is up; null if there is
   *     none
   * @param before what is known of the batch
   * @return false if they must come again later
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  boolean isolate(List<EventLogEntry> events, @Nullable EventLogEntry other, FailedBatch before)
      throws InterruptedException {
    probe = other;
    if (!isApiUp(before)) {
      return false;
    }
    List<EventLogEntry> left = new ArrayList<>(events);
    if (probeDelivered) {
      left.remove(other);
    }
    delivered += events.size() - left.size();
    List<Refused> failing = new ArrayList<>();
    if (!left.isEmpty() && !split(left, failing, before)) {
      return false;
    }
    for (Refused suspect : failing) {
      if (!tryAlone(suspect, before)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the API has accepted something since this was asked last; asks it if need be. */
  private boolean isApiUp(FailedBatch before) {
    if (!before.isAcceptedSince(requests.accepted())) {
      EventLogEntry other = probe;
      Answer answer = other == null ? null : requests.send(List.of(other));
      if (answer == null || answer.kind() == Answer.Kind.BROKEN) {
        return false;
      }
      if (answer.kind() == Answer.Kind.LATER) {
        failed = true;
        return false;
      }
      probeDelivered |= answer.kind() == Answer.Kind.DELIVERED && answer.failures().isEmpty();
    }
    before.accepted(requests.accepted());
    return true;
  }

  /** Sends all events, in halves where they fail, down to single ones. */
  private boolean split(List<EventLogEntry> events, List<Refused> failing, FailedBatch before) {
    Deque<List<EventLogEntry>> parts = new ArrayDeque<>(List.of(events));
    int failures = 0;
    for (List<EventLogEntry> part = parts.poll(); part != null; part = parts.poll()) {
      if (failures == FAILURES_BETWEEN_PROBES && !isApiUp(before)) {
        return false;
      }
      failures = failures == FAILURES_BETWEEN_PROBES ? 0 : failures;
      Answer answer = stopped.getAsBoolean() ? null : requests.sendSuspects(part);
      if (answer == null || answer.kind() == Answer.Kind.BROKEN) {
        return false;
      }
      if (answer.kind() == Answer.Kind.DELIVERED) {
        failures = 0;
        List<EventLogEntry> leftOut = settle(part, answer);
        for (EventLogEntry entry : leftOut) {
          before.failedAlone(entry);
          failing.add(new Refused(entry, answer.failures().get(0).error()));
        }
      } else if (part.size() > 1) {
        failures++;
        parts.add(part.subList(0, part.size() / 2));
        parts.add(part.subList(part.size() / 2, part.size()));
      } else if (answer.kind() == Answer.Kind.REJECTED) {
        refused.add(new Refused(part.get(0), answer.problem()));
      } else {
        failures++;
        before.failedAlone(part.get(0));
        failing.add(new Refused(part.get(0), answer.problem()));
      }
    }
    return true;
  }

  /** Tries an event that has failed alone; sets it aside when its tries are used up. */
  private boolean tryAlone(Refused suspect, FailedBatch before) throws InterruptedException {
    String problem = suspect.problem();
    while (before.tries(suspect.entry()) < settings.maxTries()) {
      alarm.await(settings.backoff().delay(before.tries(suspect.entry())));
      if (stopped.getAsBoolean() || !isApiUp(before)) {
        return false;
      }
      Answer answer = requests.sendSuspects(List.of(suspect.entry()));
      if (answer == null || answer.kind() == Answer.Kind.BROKEN) {
        return false;
      }
      if (answer.kind() == Answer.Kind.DELIVERED && answer.failures().isEmpty()) {
        delivered++;
        return true;
      }
      problem = answer.failures().isEmpty() ? answer.problem() : answer.failures().get(0).error();
      if (answer.kind() == Answer.Kind.REJECTED) {
        refused.add(new Refused(suspect.entry(), problem));
        return true;
      }
      before.failedAlone(suspect.entry());
    }
    if (!isApiUp(before)) {
      return false;
    }
    refused.add(
        new Refused(
            suspect.entry(),
            "%s; it failed alone %d times while the API accepted other events"
                .formatted(problem, settings.maxTries())));
    return true;
  }

  /** Counts what the API took and refused, and returns what it left out. */
  private List<EventLogEntry> settle(List<EventLogEntry> sent, Answer answer) {
    if (answer.refused() >= sent.size()) {
      sent.forEach(entry -> refused.add(new Refused(entry, answer.problem())));
      return List.of();
    }
    List<EventLogEntry> leftOut = failed(sent, answer);
    int taken = sent.size() - leftOut.size();
    int unnamed = Math.min(answer.refused(), taken);
    delivered += taken - unnamed;
    refusedUnnamed += unnamed;
    refusal = unnamed > 0 ? answer.problem() : refusal;
    return leftOut;
  }

  private static List<EventLogEntry> failed(List<EventLogEntry> sent, Answer answer) {
    List<EventLogEntry> failed = new ArrayList<>();
    answer.failures().stream()
        .mapToInt(Answer.Failure::index)
        .filter(index -> index >= 0 && index < sent.size())
        .distinct()
        .sorted()
        .forEach(index -> failed.add(sent.get(index)));
    return failed;
  }
}
