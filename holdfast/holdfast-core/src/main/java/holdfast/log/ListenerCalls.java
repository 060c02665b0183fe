package holdfast.log;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.time.TimeSource;

/**
 * Calls an application's lifecycle listener. What it throws is logged, one line a minute at most,
 * and goes no further. Safe for use by many threads.
 */
public final class ListenerCalls {
  private final System.Logger log;
  private final String library;
  private final LineLimit limit;

  /** Creates the calls of a library, whose name is the logger's and the first word of each line. */
  public ListenerCalls(String library, TimeSource time) {
    this.log = LibraryLogger.of(library);
    this.library = library;
    this.limit = new LineLimit(time);
  }

  /** Calls the listener. */
  public void run(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | Error e) { // also an error: what the caller does next must be done
      long count = limit.next();
      if (count > 0) {
        String line = " lifecycle listener failed failures=" + count + " error=" + LogText.line(e);
        log.log(WARNING, library + line, e);
      }
    }
  }
}
