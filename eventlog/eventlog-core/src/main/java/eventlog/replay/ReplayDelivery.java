package eventlog.replay;

import eventlog.EventLogEntry;
import eventlog.send.Requests;
import eventlog.spi.Answer;
import holdfast.time.Alarm;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sending of one batch from disk, over as many passes as it takes. Confined to the replay
 * thread.
 *
 * <p>What the API has answered for is not sent again while this process lives; it is written down
 * when the whole batch is settled. An event is set aside when the API rejects it, leaves it out of
 * batch after batch, or fails for it alone, again and again, while it accepts other events.
 *
 * <p>A batch that has failed before may hold such an event, or the API may be down. To tell the two
 * apart, one other event is sent first, the probe. If the API accepts it, the batch is halved until
 * the events are found that fail alone. Between their tries the API must accept something else: a
 * live event, or the probe again. If it does not, it is an outage, and nothing is set aside.
 */
final class ReplayDelivery {
  /** After this many failures in a row it is asked again whether the API accepts anything. */
  private static final int FAILURES_BETWEEN_PROBES = 3;

  /** Events that go in one request, how often they were left out of an answer, and why. */
  private record Part(List<EventLogEntry> events, int leftOut, String problem) {}

  /** An event that fails alone, how often, and why. */
  private record Suspect(EventLogEntry entry, int tries, String problem) {}

  private final ReplayBatch batch;
  private final Set<String> sentAhead;
  private final Requests requests;
  private final RequestSize requestSize;
  private final ReplayPass.Settings settings;
  private final Alarm alarm;
  private final BooleanSupplier stopped;
  private final Deque<Part> parts = new ArrayDeque<>();
  private final Deque<Suspect> suspects = new ArrayDeque<>();
  private final Deque<Refused> refused = new ArrayDeque<>();
  private @Nullable EventLogEntry probe;
  private int delivered;
  private int refusedUnnamed;
  private String refusal = "";
  private boolean failed;
  private long accepted;
  private int passes;

  /**
   * A delivery that has not begun.
   *
   * @param sentAhead the keys of events that were sent as probes before their batch; of this one
   *     they are left out, and taken out of the set
   */
  ReplayDelivery(
      ReplayBatch batch,
      Set<String> sentAhead,
      Requests requests,
      RequestSize requestSize,
      ReplayPass.Settings settings,
      Alarm alarm,
      BooleanSupplier stopped) {
    this.batch = batch;
    this.sentAhead = sentAhead;
    this.requests = requests;
    this.requestSize = requestSize;
    this.settings = settings;
    this.alarm = alarm;
    this.stopped = stopped;
    List<EventLogEntry> left =
        batch.events().stream().filter(entry -> !sentAhead.remove(entry.idempotencyKey())).toList();
    delivered = batch.events().size() - left.size();
    if (!left.isEmpty()) {
      parts.add(new Part(left, 0, ""));
    }
  }

  ReplayBatch batch() {
    return batch;
  }

  int delivered() {
    return delivered;
  }

  /** The events to set aside; who does so takes them out. */
  Deque<Refused> refused() {
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

  /** Whether the API has failed for it, so that another event is needed to tell why. */
  boolean hasFailed() {
    return failed;
  }

  /**
   * Sends what is left.
   *
   * @param next the events that follow; empty if there are none
   * @return false if it must go on in a later pass
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  boolean run(ReplayBatch next) throws InterruptedException {
    if (!failed || (parts.isEmpty() && suspects.isEmpty())) {
      return send();
    }
    probe = other(next);
    boolean canTell = probe != null || isAcceptedSince();
    return canTell ? isolate() : send() && sendSuspects();
  }

  /**
   * An event to find out with whether the API is up, another one in each pass: of this batch if
   * several are left, and those that follow; null if there is none but the one that has failed.
   */
  private @Nullable EventLogEntry other(ReplayBatch next) {
    List<EventLogEntry> left = new ArrayList<>();
    parts.forEach(part -> left.addAll(part.events()));
    suspects.forEach(suspect -> left.add(suspect.entry()));
    List<EventLogEntry> others = new ArrayList<>(left.size() > 1 ? left : List.of());
    next.events().stream()
        .filter(entry -> !sentAhead.contains(entry.idempotencyKey()))
        .forEach(others::add);
    return others.isEmpty() ? null : others.get(passes++ % others.size());
  }

  private boolean send() throws InterruptedException {
    while (!parts.isEmpty()) {
      Part part = parts.getFirst();
      if (part.leftOut() > settings.maxRetries()) {
        part.events().forEach(entry -> refused.add(Refused.byApi(entry, part.problem())));
        parts.remove();
        continue;
      }
      if (part.leftOut() > 0) {
        alarm.await(settings.backoff().delay(part.leftOut()));
      }
      Answer answer =
          stopped.getAsBoolean() ? null : requests.sendFromDisk(part.events(), delivered > 0);
      if (answer == null || answer.kind() == Answer.Kind.BROKEN) {
        return false;
      }
      if (answer.kind() == Answer.Kind.LATER) {
        hasJustFailed();
        return false;
      }
      parts.remove();
      if (answer.kind() == Answer.Kind.REJECTED) {
        requestSize.refused(part.events().size());
        halve(part, answer.problem());
      } else {
        List<EventLogEntry> again = deliver(part.events(), answer);
        if (!again.isEmpty()) {
          parts.addFirst(new Part(again, part.leftOut() + 1, answer.failures().get(0).error()));
        }
      }
    }
    return true;
  }

  private void hasJustFailed() {
    failed = true;
    requestSize.failed();
    accepted = requests.accepted();
  }

  private void halve(Part part, String problem) {
    List<EventLogEntry> events = part.events();
    if (events.size() == 1) {
      refused.add(Refused.byApi(events.get(0), problem));
      return;
    }
    int half = events.size() / 2;
    // Behind the others: what the API accepts is known sooner.
    parts.add(new Part(events.subList(0, half), part.leftOut(), part.problem()));
    parts.add(new Part(events.subList(half, events.size()), part.leftOut(), part.problem()));
  }

  /** Counts what the API has taken and refused; gives what it has left out. */
  private List<EventLogEntry> deliver(List<EventLogEntry> sent, Answer answer) {
    if (answer.refused() >= sent.size()) {
      sent.forEach(entry -> refused.add(Refused.byApi(entry, answer.problem())));
      return List.of();
    }
    List<EventLogEntry> leftOut = leftOut(sent, answer);
    int taken = sent.size() - leftOut.size();
    int unnamed = Math.min(answer.refused(), taken);
    if (leftOut.isEmpty()) {
      requestSize.taken(sent.size());
    }
    delivered += taken - unnamed;
    refusedUnnamed += unnamed;
    refusal = unnamed > 0 ? answer.problem() : refusal;
    return leftOut;
  }

  private static List<EventLogEntry> leftOut(List<EventLogEntry> sent, Answer answer) {
    List<EventLogEntry> leftOut = new ArrayList<>();
    answer.failures().stream()
        .mapToInt(Answer.Failure::index)
        .filter(index -> index >= 0 && index < sent.size())
        .distinct()
        .sorted()
        .forEach(index -> leftOut.add(sent.get(index)));
    return leftOut;
  }

  private static boolean isTaken(EventLogEntry sent, Answer answer) {
    return answer.kind() == Answer.Kind.DELIVERED && leftOut(List.of(sent), answer).isEmpty();
  }

  /** Sends what is left of a batch that has failed before, and sets aside what fails alone. */
  private boolean isolate() throws InterruptedException {
    if (!isApiUp() || !split()) {
      return false;
    }
    while (!suspects.isEmpty()) {
      if (!tryAlone()) {
        return false;
      }
    }
    return true;
  }

  private boolean isAcceptedSince() {
    return requests.accepted() > accepted;
  }

  /** Whether the API has accepted something since the last failure; asks it if need be. */
  private boolean isApiUp() {
    EventLogEntry other = probe;
    if (isAcceptedSince()) {
      return true;
    }
    Answer answer = other == null ? null : requests.sendFromDisk(List.of(other), delivered > 0);
    if (other == null || answer == null || answer.kind() == Answer.Kind.BROKEN) {
      return false;
    }
    if (answer.kind() == Answer.Kind.LATER) {
      hasJustFailed();
      return false;
    }
    if (isTaken(other, answer)) {
      probeDelivered(other);
    }
    return true;
  }

  /** Takes the probe out of what is left, or remembers that it was sent before its batch. */
  private void probeDelivered(EventLogEntry sent) {
    int deliveredBefore = delivered;
    List<Part> before = List.copyOf(parts);
    parts.clear();
    for (Part part : before) {
      List<EventLogEntry> left =
          part.events().stream().filter(entry -> !entry.equals(sent)).toList();
      delivered += part.events().size() - left.size();
      if (!left.isEmpty()) {
        parts.add(new Part(left, part.leftOut(), part.problem()));
      }
    }
    delivered += suspects.removeIf(suspect -> suspect.entry().equals(sent)) ? 1 : 0;
    if (delivered == deliveredBefore && sentAhead.size() < settings.batchSize()) {
      sentAhead.add(sent.idempotencyKey());
    }
  }

  /** Sends all events, in halves where they fail, down to single ones. */
  private boolean split() {
    int failures = 0;
    while (!parts.isEmpty()) {
      if (failures == FAILURES_BETWEEN_PROBES) {
        if (!isApiUp()) {
          return false;
        }
        failures = 0;
        continue; // the probe may have been the last
      }
      Part part = parts.getFirst();
      Answer answer =
          stopped.getAsBoolean() ? null : requests.sendSuspects(part.events(), isAcceptedSince());
      if (answer == null || answer.kind() == Answer.Kind.BROKEN) {
        return false;
      }
      parts.remove();
      switch (answer.kind()) {
        case DELIVERED -> {
          failures = 0;
          for (EventLogEntry entry : deliver(part.events(), answer)) {
            suspects.add(new Suspect(entry, 1, answer.failures().get(0).error()));
          }
        }
        case REJECTED -> {
          requestSize.refused(part.events().size());
          halve(part, answer.problem());
        }
        default -> {
          failures++;
          hasJustFailed();
          if (part.events().size() == 1) {
            suspects.add(new Suspect(part.events().get(0), 1, answer.problem()));
          } else {
            halve(part, answer.problem());
          }
        }
      }
    }
    return true;
  }

  /** Tries the first suspect once more; sets it aside when its tries are used up. */
  private boolean tryAlone() throws InterruptedException {
    Suspect suspect = suspects.getFirst();
    if (suspect.tries() >= settings.maxTries()) {
      return isApiUp() && setAside(suspect);
    }
    alarm.await(settings.backoff().delay(suspect.tries()));
    if (stopped.getAsBoolean() || !isApiUp()) {
      return false;
    }
    if (!suspects.contains(suspect)) {
      return true; // it was the probe, and is delivered
    }
    Answer answer = requests.sendSuspects(List.of(suspect.entry()), isAcceptedSince());
    if (answer == null || answer.kind() == Answer.Kind.BROKEN) {
      return false;
    }
    if (!settle(suspect, answer)) {
      hasJustFailed();
      suspects.remove();
      suspects.addFirst(new Suspect(suspect.entry(), suspect.tries() + 1, problem(answer)));
    }
    return true;
  }

  /** Sends suspects while nothing says whether the API is up, so that a failure proves nothing. */
  private boolean sendSuspects() {
    while (!suspects.isEmpty()) {
      Suspect suspect = suspects.getFirst();
      Answer answer =
          stopped.getAsBoolean()
              ? null
              : requests.sendFromDisk(List.of(suspect.entry()), delivered > 0);
      if (answer == null || !settle(suspect, answer)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the answer says what becomes of the first suspect; then it is one no more. */
  private boolean settle(Suspect suspect, Answer answer) {
    if (answer.kind() == Answer.Kind.REJECTED) {
      refused.add(Refused.byApi(suspect.entry(), answer.problem()));
    } else if (isTaken(suspect.entry(), answer)) {
      delivered++;
    } else {
      return false;
    }
    suspects.remove();
    return true;
  }

  private static String problem(Answer answer) {
    return answer.failures().isEmpty() ? answer.problem() : answer.failures().get(0).error();
  }

  private boolean setAside(Suspect suspect) {
    if (suspects.remove(suspect)) { // else it was the probe, and is delivered
      refused.add(
          Refused.failedAlone(
              suspect.entry(),
              "%s; it failed alone %d times while the API accepted other events"
                  .formatted(suspect.problem(), settings.maxTries())));
    }
    return true;
  }
}
