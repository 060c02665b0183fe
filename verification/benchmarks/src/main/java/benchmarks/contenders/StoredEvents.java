package benchmarks.contenders;

import eventbus.Event;
import eventbus.EventBus;
import java.util.List;
import java.util.stream.IntStream;

/** Events that are in the table before the clock starts. Stateless. */
final class StoredEvents {
  private static final int BATCH = 1_000;

  private StoredEvents() {}

  static void publish(EventBus bus, int events) {
    for (int from = 0; from < events; from += BATCH) {
      List<Event> batch =
          IntStream.range(from, Math.min(from + BATCH, events))
              .mapToObj(number -> Event.of(BusWorkers.TYPE, Business.payload(number)))
              .toList();
      bus.publishAll(batch);
    }
  }
}
