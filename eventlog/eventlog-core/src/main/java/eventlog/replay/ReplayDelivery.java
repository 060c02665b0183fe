package eventlog.replay;

import eventlog.EventLogEntry;
import eventlog.send.Requests;
import eventlog.spi.Answer;
import holdfast.retry.Backoff;
import holdfast.time.Alarm;
import java.util.ArrayList;
import java.util.List;

/**
 * The sending of one batch from disk. Confined to the replay thread.
 *
 * <p>A batch is either settled as a whole or comes again as a whole: only then is anything written
 * down. An event is set aside when the API rejects it, or leaves it out of batch after batch.
 */
final class ReplayDelivery {

  /** An event that the API will never take, and why. */
  record Refused(EventLogEntry entry, String problem) {}

  private final Requests requests;
  private final Backoff backoff;
  private final int maxRetries;
  private final Alarm alarm;
  private final List<Refused> refused = new ArrayList<>();
  private int delivered;

  ReplayDelivery(Requests requests, Backoff backoff, int maxRetries, Alarm alarm) {
    this.requests = requests;
    this.backoff = backoff;
    this.maxRetries = maxRetries;
    this.alarm = alarm;
  }

  int delivered() {
    return delivered;
  }

  List<Refused> refused() {
    return refused;
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
      if (attempt > maxRetries + 1) {
        for (EventLogEntry entry : left) {
          refused.add(new Refused(entry, problem));
        }
        return true;
      }
      if (attempt > 1) {
        alarm.await(backoff.delay(attempt - 1));
      }
      Answer answer = requests.send(left);
      if (answer == null) {
        return false;
      }
      switch (answer.kind()) {
        case DELIVERED -> {
          delivered += left.size() - failed(left, answer).size();
          left = failed(left, answer);
          problem = answer.failures().isEmpty() ? "" : answer.failures().get(0).error();
        }
        case REJECTED -> {
          return halve(left, answer.problem());
        }
        case LATER, BROKEN -> {
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
