package benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
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
 * The time from the moment the database has committed to the call of the listener, at a fixed rate.
 *
 * <p>Events are due by a timetable. Where a publisher is late because the one before took too long,
 * that delay counts too, so a contender that stalls cannot hide it by not being asked meanwhile.
 * For one thread.
 */
final class Latency {
  private static final int THREADS = 4;

  private final int perSecond;
  private final int events;
  private final int warmUp;

  Latency(int perSecond, Duration measured, Duration warmUp) {
    this.perSecond = perSecond;
    this.warmUp = (int) (perSecond * warmUp.toSeconds());
    this.events = this.warmUp + (int) (perSecond * measured.toSeconds());
  }

  /** Sorted microseconds of one contender. */
  long[] run(Field field) throws SQLException, InterruptedException, ExecutionException {
    AtomicLongArray arrivedAt = new AtomicLongArray(events);
    try (TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL);
        HikariDataSource pool = Pools.of(database, THREADS + 12)) {
      benchmarks.contenders.Business.create(pool);
      CommitTimes commits = new CommitTimes(pool, events);
      try (Contender contender =
          field.start(
              commits.dataSource(),
              number -> arrivedAt.compareAndSet((int) number, 0, System.nanoTime()))) {
        long[] lateness = publishAll(contender, commits);
        await(arrivedAt);
        return sorted(arrivedAt, commits, lateness);
      }
    }
  }

  private long[] publishAll(Contender contender, CommitTimes commits)
      throws InterruptedException, ExecutionException {
    long[] lateness = new long[events];
    ExecutorService publishers = Executors.newFixedThreadPool(THREADS);
    try {
      long startedAt = System.nanoTime();
      List<Future<?>> ends = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int first = thread;
        ends.add(
            publishers.submit(
                () -> {
                  publish(contender, commits, startedAt, first, lateness);
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
      return lateness;
    } finally {
      publishers.shutdown();
    }
  }

  private void publish(
      Contender contender, CommitTimes commits, long startedAt, int first, long[] lateness)
      throws SQLException {
    long freeAt = startedAt;
    for (int number = first; number < events; number += THREADS) {
      long due = startedAt + number * TimeUnit.SECONDS.toNanos(1) / perSecond;
      while (System.nanoTime() - due < 0) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      lateness[number] = Math.max(0, freeAt - due);
      commits.next(number);
      contender.publish(number);
      freeAt = System.nanoTime();
    }
  }

  private void await(AtomicLongArray arrivedAt) throws InterruptedException {
    for (int i = 0; i < events; i++) {
      while (arrivedAt.get(i) == 0) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }
  }

  private long[] sorted(AtomicLongArray arrivedAt, CommitTimes commits, long[] lateness) {
    long[] micros = new long[events - warmUp];
    for (int i = warmUp; i < events; i++) {
      micros[i - warmUp] = (arrivedAt.get(i) - commits.at(i) + lateness[i]) / 1_000;
    }
    Arrays.sort(micros);
    return micros;
  }
}
