package benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import eventbus.Event;
import eventbus.EventBus;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.process.ChildJvm;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * The time from the call that publishes, and from its return, which follows the commit, to the call
 * of the handler, at a fixed rate, in the same JVM or in another one.
 *
 * <p>Events are due by a timetable. Where a publisher is late because the one before took too long,
 * that delay counts too. The monotonic clock of Linux is one for all processes, so moments of two
 * JVMs can be compared. For one thread.
 */
final class BusLatency {
  private static final int THREADS = 2;
  private static final Duration WARM_UP = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final int perSecond;
  private final int warmUp;
  private final int events;
  private final long[] dueAt;
  private final long[] publishedAt;
  private final AtomicLongArray arrivedAt;

  BusLatency(int perSecond, Duration measured) {
    this.perSecond = perSecond;
    this.warmUp = (int) (perSecond * WARM_UP.toSeconds());
    this.events = warmUp + (int) (perSecond * measured.toSeconds());
    this.dueAt = new long[events];
    this.publishedAt = new long[events];
    this.arrivedAt = new AtomicLongArray(events);
  }

  /**
   * Measures, once.
   *
   * @param apart whether the worker is in another JVM
   */
  void run(boolean apart) throws SQLException, InterruptedException, ExecutionException {
    try (TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL);
        HikariDataSource pool = Pools.of(database, THREADS + 6);
        EventBus bus =
            EventBus.builder(pool)
                .createTables()
                .handler(
                    BusLatencyNode.TYPE,
                    event -> arrivedAt.set(number(event.payload()), System.nanoTime()))
                .build()) {
      if (!apart) {
        bus.start();
        publishAll(bus);
        await();
        return;
      }
      try (ChildJvm node = BusLatencyNode.start(database)) {
        publishAll(bus);
        node.awaitLines(1 + events, PATIENCE).stream()
            .skip(1)
            .map(line -> line.split(" ", -1))
            .forEach(words -> arrivedAt.set(number(words[0]), Long.parseLong(words[1])));
      }
    }
  }

  private static int number(String text) {
    return Integer.parseInt(text);
  }

  private void publishAll(EventBus bus) throws InterruptedException, ExecutionException {
    ExecutorService publishers = Executors.newFixedThreadPool(THREADS);
    try {
      long startedAt = System.nanoTime();
      List<Future<?>> ends = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int first = thread;
        ends.add(publishers.submit(() -> publish(bus, startedAt, first)));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } finally {
      publishers.shutdown();
    }
  }

  private void publish(EventBus bus, long startedAt, int first) {
    long freeAt = startedAt;
    for (int number = first; number < events; number += THREADS) {
      long due = startedAt + number * TimeUnit.SECONDS.toNanos(1) / perSecond;
      while (System.nanoTime() - due < 0) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      // From now, unless the event before has kept this one waiting.
      dueAt[number] = freeAt - due > 0 ? due : System.nanoTime();
      bus.publish(Event.of(BusLatencyNode.TYPE, Integer.toString(number)));
      freeAt = System.nanoTime();
      publishedAt[number] = freeAt;
    }
  }

  private void await() throws InterruptedException {
    for (int i = 0; i < events; i++) {
      while (arrivedAt.get(i) == 0) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }
  }

  /** Sorted microseconds from the call that published to the handler's. */
  long[] fromCall() {
    return since(dueAt);
  }

  /** Sorted microseconds from the return of the call that published to the handler's. */
  long[] fromReturn() {
    return since(publishedAt);
  }

  /** A handler may be called before the call that publishes has returned. */
  private long[] since(long[] moments) {
    long[] micros = new long[events - warmUp];
    for (int i = warmUp; i < events; i++) {
      micros[i - warmUp] = Math.max(0, arrivedAt.get(i) - moments[i]) / 1_000;
    }
    Arrays.sort(micros);
    return micros;
  }
}
