package eventlog.spring;

import eventlog.EventLogEntry;
import eventlog.spi.Answer;
import eventlog.spi.EventLogClient;
import holdfast.testkit.threads.Eventually;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An Event Log API in memory that remembers what it took. Safe for use by many threads. */
final class Api implements EventLogClient {
  private final List<EventLogEntry> events = new CopyOnWriteArrayList<>();
  private volatile Answer answer = Answer.delivered();

  /** Gives this answer from now on. */
  void answers(Answer newAnswer) {
    answer = newAnswer;
  }

  @Override
  public Answer send(List<EventLogEntry> sent) {
    Answer given = answer;
    if (given.kind() == Answer.Kind.DELIVERED) {
      events.addAll(sent);
    }
    return given;
  }

  /** What it took, once that are at least so many. */
  List<EventLogEntry> await(int count) {
    Eventually.await(count + " events", () -> events.size() >= count);
    return List.copyOf(events);
  }

  /** What it took so far. */
  List<EventLogEntry> events() {
    return List.copyOf(events);
  }
}
