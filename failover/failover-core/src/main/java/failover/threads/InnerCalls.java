package failover.threads;

import org.jspecify.annotations.Nullable;

/**
 * The sources that run on a thread, one within the other, and what the innermost was given that was
 * not live. So a call learns that its source has made its answer of stored ones. There is one for
 * each thread, for use by that thread alone.
 *
 * <p>A source that is given live answers alone costs two numbers: what notes the others is made
 * when there is something to note.
 */
public final class InnerCalls {
  private static final ThreadLocal<InnerCalls> OF_THREAD = ThreadLocal.withInitial(InnerCalls::new);

  private int sources;
  private @Nullable StaleAnswers stale;

  private InnerCalls() {}

  /** Those of the current thread. */
  public static InnerCalls ofThread() {
    return OF_THREAD.get();
  }

  /**
   * Where the source that runs on the current thread notes what it is given; null if none runs.
   * Other threads may note there, too.
   */
  public static @Nullable StaleAnswers ofSource() {
    InnerCalls mine = ofThread();
    if (mine.sources > 0 && mine.stale == null) {
      mine.stale = new StaleAnswers();
    }
    return mine.stale;
  }

  /**
   * A source begins.
   *
   * @return what is passed to {@link #end}: what was noted for the source around it
   */
  public @Nullable StaleAnswers begin() {
    StaleAnswers around = stale;
    become(null);
    return around;
  }

  /**
   * The source ends.
   *
   * @param around what {@link #begin} returned
   * @return what was noted for it; null if there was nothing to note
   */
  public @Nullable StaleAnswers end(@Nullable StaleAnswers around) {
    StaleAnswers mine = stale;
    sources--;
    set(around);
    return mine;
  }

  /** Runs something as if it were part of a source that may have begun on another thread. */
  public static void within(@Nullable StaleAnswers source, Runnable action) {
    InnerCalls mine = ofThread();
    StaleAnswers around = mine.stale;
    mine.become(source);
    try {
      action.run();
    } finally {
      mine.end(around);
    }
  }

  private void become(@Nullable StaleAnswers source) {
    sources++;
    set(source);
  }

  /** Writes the reference only where it differs, since the collector has to hear of it. */
  @SuppressWarnings("ReferenceEquality") // whether there is anything to write
  private void set(@Nullable StaleAnswers other) {
    if (stale != other) {
      stale = other;
    }
  }
}
