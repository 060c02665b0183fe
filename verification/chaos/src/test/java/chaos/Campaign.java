package chaos;

import holdfast.lifecycle.Deadline;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Callable;

/**
 * One run of a campaign: its chance and its time. A failure tells the seed of all random choices;
 * {@code -Dchaos.seed=} makes the same ones again. Safe for use by many threads.
 */
public final class Campaign {
  /** What happens in a campaign. */
  public interface Plot {
    void play(Campaign campaign) throws Exception;
  }

  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  private final Random random;
  private final Deadline deadline;

  private Campaign(long seed, Duration limit) {
    this.random = new Random(seed);
    this.deadline = Deadline.after(limit, TimeSource.system());
  }

  /** Plays a plot that must come to its end within the limit. */
  public static void play(String name, Duration limit, Plot plot) throws InterruptedException {
    long seed = Long.getLong("chaos.seed", new Random().nextLong());
    try {
      plot.play(new Campaign(seed, limit));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | AssertionError e) {
      throw new AssertionError(
          "%s failed; the same choices again: -Dchaos.seed=%d%n%s".formatted(name, seed, e), e);
    }
  }

  /**
   * Chance for somebody who chooses beside others, so that neither disturbs the other's choices.
   */
  public Random chance() {
    return new Random(random.nextLong());
  }

  /** A number from the least to the most, both included. */
  public int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  /** What is left of the campaign's time. */
  public Duration left() {
    return deadline.remaining();
  }

  /**
   * Waits until nothing is missing any more.
   *
   * @param missing tells what is missing; empty when nothing is
   */
  public void await(String what, Callable<String> missing) throws Exception {
    Alarm alarm = TimeSource.system().newAlarm();
    String last = missing.call();
    while (!last.isEmpty()) {
      if (deadline.isOver()) {
        throw new AssertionError("out of time before " + what + "; still missing: " + last);
      }
      alarm.await(LOOK_AGAIN);
      last = missing.call();
    }
  }
}
