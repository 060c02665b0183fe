package tracer.lane;

import java.time.Duration;

/**
 * Whether the sink is slower than it should be: at taking events, or at writing them to the disk.
 * Written by the drain, safe to be read by many threads.
 */
public final class SinkWatch {
  private static final long IDLE = Long.MIN_VALUE;

  private final long diskBound;
  private final long ringBound;
  private volatile long diskSince = IDLE;
  private volatile long ringSince = IDLE;
  private volatile boolean failing;
  private volatile boolean lagging;

  /**
   * A sink that has not been called.
   *
   * @param diskBound how long one call that may write to the disk may take
   * @param ringBound how long the events of a ring may take: as long as it takes to fill it at the
   *     peak rate
   */
  public SinkWatch(Duration diskBound, Duration ringBound) {
    this.diskBound = diskBound.toNanos();
    this.ringBound = ringBound.toNanos();
  }

  /** A call begins that may write to the disk. */
  public void diskBegins(long now) {
    diskSince = now;
  }

  /** The call has ended. */
  public void diskEnded(boolean failed) {
    diskSince = IDLE;
    failing = failed;
  }

  /** The first batch of a ring begins. */
  public void ringBegins(long now) {
    ringSince = now;
  }

  /** The ring was written, or not. */
  public void ringEnded(long now) {
    lagging = now - ringSince > ringBound;
    ringSince = IDLE;
  }

  /** No sealed ring is left. */
  public void caughtUp() {
    lagging = false;
  }

  /**
   * Whether the last call that may write to the disk has failed, or the one under way takes longer
   * than it may.
   */
  public boolean isDiskSlow(long now) {
    return failing || isOver(diskSince, now, diskBound);
  }

  /**
   * Whether the sink takes fewer events than come at the peak rate: the ring under way takes too
   * long, or the last one did and others wait.
   */
  public boolean isLagging(long now) {
    return lagging || isOver(ringSince, now, ringBound);
  }

  private static boolean isOver(long since, long now, long bound) {
    return since != IDLE && now - since > bound;
  }
}
