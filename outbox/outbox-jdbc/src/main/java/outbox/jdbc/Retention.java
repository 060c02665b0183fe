package outbox.jdbc;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;

import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Lifecycle;
import holdfast.lifecycle.Threads;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Purges done events from time to time, on a thread of its own, so that a long purge holds up no
 * delivery. Every node may do so; they pass over each other's rows. Safe for use by many threads.
 */
final class Retention implements AutoCloseable {
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
  private static final int LOOKS_PER_RETENTION = 10;
  private static final System.Logger LOG = System.getLogger("outbox");

  private final Purge purge;
  private final Duration keep;
  private final TimeSource time;
  private final Alarm alarm;
  private final Lifecycle life = new Lifecycle("Retention");
  private volatile @Nullable Thread thread;

  Retention(Purge purge, Duration keep, TimeSource time) {
    this.purge = purge;
    this.keep = keep;
    this.time = time;
    this.alarm = time.newAlarm();
  }

  void start() {
    if (life.start()) {
      Thread loop = Threads.daemon("outbox-retention").newThread(this::loop);
      thread = loop;
      loop.start();
    }
  }

  private void loop() {
    try {
      while (!life.isClosed()) {
        purgeOnce();
        alarm.await(pause());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void purgeOnce() {
    try {
      long purged = purge.done(keep, life::isClosed);
      LOG.log(DEBUG, "outbox purged done={0}", purged);
    } catch (RuntimeException e) {
      if (!life.isClosed()) {
        LOG.log(ERROR, "outbox purge failed, trying again within " + LONGEST_PAUSE, e);
      }
    }
  }

  /** A tenth of the retention within bounds; nodes started together must not purge together. */
  private Duration pause() {
    Duration tenth = keep.dividedBy(LOOKS_PER_RETENTION);
    Duration pause =
        tenth.compareTo(SHORTEST_PAUSE) < 0
            ? SHORTEST_PAUSE
            : tenth.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : tenth;
    double share = ThreadLocalRandom.current().nextDouble(0.8, 1.0);
    return Duration.ofNanos((long) (pause.toNanos() * share));
  }

  @Override
  public void close() {
    if (!life.close()) {
      return;
    }
    alarm.ring();
    Thread loop = thread;
    try {
      if (loop != null && !Deadline.after(CLOSE_TIMEOUT, time).join(loop)) {
        loop.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
