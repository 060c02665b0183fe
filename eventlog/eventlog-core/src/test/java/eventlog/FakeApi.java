package eventlog;

import eventlog.spi.Answer;
import eventlog.spi.EventLogClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * An API in memory that answers as the test wants, and remembers what it took. Safe for use by many
 * threads.
 */
public final class FakeApi implements EventLogClient {

  /** Makes the answer to a request. */
  @FunctionalInterface
  public interface Script {
    Answer answer(List<EventLogEntry> events) throws Exception;
  }

  private final List<List<String>> requests = new CopyOnWriteArrayList<>();
  private final List<String> stored = new CopyOnWriteArrayList<>();
  private volatile Script script = events -> Answer.delivered();

  /** Has every request answered by the script from now on. */
  public FakeApi answers(Script newScript) {
    script = newScript;
    return this;
  }

  /** Takes everything from now on. */
  public FakeApi isUp() {
    return answers(events -> Answer.delivered());
  }

  /** Fails every request from now on. */
  public FakeApi isDown() {
    return answers(events -> Answer.later("down", null));
  }

  /** Keeps every request from now on until the latch is open; then takes it. */
  public FakeApi waitsFor(CountDownLatch latch) {
    return answers(
        events -> {
          latch.await();
          return Answer.delivered();
        });
  }

  @Override
  public Answer send(List<EventLogEntry> events) throws Exception {
    requests.add(Events.keys(events));
    Answer answer = script.answer(events);
    if (answer.kind() == Answer.Kind.DELIVERED) {
      List<String> keys = new ArrayList<>(Events.keys(events));
      answer.failures().stream()
          .map(Answer.Failure::index)
          .filter(index -> index < events.size())
          .forEach(index -> keys.set(index, ""));
      keys.stream().filter(key -> !key.isEmpty()).forEach(stored::add);
    }
    return answer;
  }

  /** The keys of every request so far, in order. */
  public List<List<String>> requests() {
    return List.copyOf(requests);
  }

  /** The keys of what was stored, as often as it was, in order. */
  public List<String> stored() {
    return List.copyOf(stored);
  }
}
