package eventlog.send;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.EventLogEntry;
import eventlog.Events;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class EventQueueTest {
  private static final EventLogEntry EVENT = Events.event("e");

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 10_000})
  void itTakesExactlyItsCapacityAndGivesItBackInOrder(int capacity) {
    EventQueue queue = new EventQueue(capacity);
    for (int round = 0; round < 3; round++) {
      List<InFlightEvent> added = new ArrayList<>();
      for (int i = 0; i < capacity; i++) {
        InFlightEvent event = new InFlightEvent(EVENT);
        assertThat(queue.offer(event)).isTrue();
        added.add(event);
      }
      assertThat(queue.offer(new InFlightEvent(EVENT))).isFalse();
      assertThat(queue.size()).isEqualTo(capacity);
      assertThat(queue.room()).isZero();

      List<InFlightEvent> taken = new ArrayList<>();
      assertThat(queue.drain(taken, Integer.MAX_VALUE)).isEqualTo(capacity);
      assertThat(taken).containsExactlyElementsOf(added);
      assertThat(queue.size()).isZero();
    }
  }

  @Test
  void itGivesNoMoreThanIsAskedFor() {
    EventQueue queue = new EventQueue(10);
    for (int i = 0; i < 5; i++) {
      queue.offer(new InFlightEvent(EVENT));
    }
    List<InFlightEvent> taken = new ArrayList<>();

    assertThat(queue.drain(taken, 3)).isEqualTo(3);
    assertThat(queue.size()).isEqualTo(2);
    assertThat(queue.room()).isEqualTo(8);
  }

  @Test
  void underManyThreadsNothingIsLostMadeUpOrSeenTwice() throws Exception {
    EventQueue queue = new EventQueue(13);
    int adders = 4;
    int perAdder = 20_000;
    AtomicInteger refused = new AtomicInteger();
    AtomicInteger adding = new AtomicInteger(adders);
    ExecutorService pool = Executors.newFixedThreadPool(adders + 2);
    try {
      List<Future<?>> added = new ArrayList<>();
      for (int a = 0; a < adders; a++) {
        added.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < perAdder; i++) {
                    if (!queue.offer(new InFlightEvent(EVENT))) {
                      refused.incrementAndGet();
                      Thread.onSpinWait();
                    }
                  }
                  adding.decrementAndGet();
                }));
      }
      List<Future<List<InFlightEvent>>> taken = new ArrayList<>();
      for (int t = 0; t < 2; t++) {
        taken.add(
            pool.submit(
                () -> {
                  List<InFlightEvent> mine = new ArrayList<>();
                  while (adding.get() > 0 || queue.size() > 0) {
                    if (queue.drain(mine, 5) == 0) {
                      Thread.onSpinWait();
                    }
                    assertThat(queue.size()).isBetween(0, 13);
                  }
                  return mine;
                }));
      }
      for (Future<?> future : added) {
        future.get();
      }
      Set<InFlightEvent> all = new HashSet<>();
      int count = 0;
      for (Future<List<InFlightEvent>> future : taken) {
        all.addAll(future.get());
        count += future.get().size();
      }
      assertThat(count).isEqualTo(adders * perAdder - refused.get());
      assertThat(all).hasSize(count);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void anEventThatIsPutBackWhileSomebodyCountsIsNotCountedAgain() throws Exception {
    EventQueue queue = new EventQueue(4);
    queue.offer(EVENT);
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      Future<?> goingRound =
          pool.submit(
              () -> {
                List<InFlightEvent> taken = new ArrayList<>();
                for (int i = 0; i < 2_000_000; i++) {
                  queue.drain(taken, 1);
                  queue.putBack(taken.remove(0));
                }
              });
      while (!goingRound.isDone()) {
        assertThat(queue.added()).isLessThanOrEqualTo(1);
      }
      goingRound.get();
      assertThat(queue.added()).isEqualTo(1);
    } finally {
      pool.shutdownNow();
    }
  }

  private static EventLogEntry ofChars(int chars) {
    return Events.builder("k").requestPayload("x".repeat(chars)).build();
  }

  @Test
  void itIsBoundedInBytesAndWhatIsTakenMakesRoom() {
    ByteBudget budget = new ByteBudget(200_000, 100);
    EventQueue queue = new EventQueue(100, budget);
    assertThat(queue.offer(ofChars(20_000))).isTrue();
    assertThat(queue.offer(ofChars(20_000))).isTrue();
    assertThat(queue.offer(ofChars(20_000))).isFalse();
    assertThat(queue.offer(ofChars(1))).as("half is for small ones").isTrue();
    assertThat(queue.room()).as("more than half is used").isZero();

    List<InFlightEvent> taken = new ArrayList<>();
    assertThat(queue.drain(taken, 10, 1)).as("one, however large").isEqualTo(1);
    assertThat(queue.room()).isEqualTo(98);
    assertThat(queue.offer(ofChars(20_000))).isTrue();
    assertThat(queue.putBack(taken.get(0).again())).as("it is in memory anyway").isTrue();

    taken.clear();
    assertThat(queue.drain(taken, 10, 90_000)).isEqualTo(3);
    assertThat(queue.drain(taken, 10, 90_000)).isEqualTo(1);
    assertThat(budget.isHalfFree()).isTrue();
  }

  @Test
  void oneLargeEventAlwaysFindsRoomAndAFullQueueKeepsNoBytes() {
    EventQueue queue = new EventQueue(1, new ByteBudget(1000, 1));

    assertThat(queue.offer(ofChars(20_000))).isTrue();
    assertThat(queue.offer(ofChars(20_000))).isFalse();
    queue.drain(new ArrayList<>(), 1);
    assertThat(queue.offer(ofChars(1))).isTrue();
    assertThat(queue.offer(ofChars(20_000))).isFalse();
    queue.drain(new ArrayList<>(), 1);
    assertThat(queue.room()).isEqualTo(1);
  }
}
