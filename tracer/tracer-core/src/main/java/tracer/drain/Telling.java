package tracer.drain;

import static java.lang.System.Logger.Level.WARNING;

/** Tells listeners; what they throw is logged and goes no further. Stateless. */
public final class Telling {
  private static final System.Logger LOG = System.getLogger("tracer");

  private Telling() {}

  /** Tells one piece of news. */
  public static void tell(Runnable news) {
    try {
      news.run();
    } catch (RuntimeException | Error e) { // not ours, so it must not harm who tells
      LOG.log(WARNING, "tracer listener failed", e);
    }
  }
}
