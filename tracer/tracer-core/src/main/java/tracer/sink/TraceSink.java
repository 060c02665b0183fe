package tracer.sink;

import java.io.IOException;

/**
 * Where events go. Called by one thread at a time, never again after {@link #close}.
 *
 * <p>A call that throws is made again later, with the same events; meanwhile they stay in memory,
 * and newer ones may have to be dropped. So a sink that fails has either taken nothing, or can live
 * with events that come twice.
 */
public interface TraceSink extends AutoCloseable {

  /**
   * Gets ready. Called before all other methods, again if it failed.
   *
   * @param start the moment that connects the clocks
   * @throws IOException if it cannot; it is tried again
   */
  default void open(TraceStart start) throws IOException {}

  /**
   * Takes events.
   *
   * @param batch the events; not to be kept
   * @throws IOException if it cannot; it is tried again
   */
  void write(TraceBatch batch) throws IOException;

  /**
   * Takes the mark that events were dropped.
   *
   * @param loss how many, when and why
   * @throws IOException if it cannot; it is tried again
   */
  default void lost(DataLoss loss) throws IOException {}

  /**
   * Hands on what it has taken and not yet written. Called when there is nothing else to do.
   *
   * @throws IOException if it cannot; it is tried again
   */
  default void flush() throws IOException {}

  /** How many bytes were written so far. Safe to be called by any thread. */
  default long bytesWritten() {
    return 0;
  }

  @Override
  default void close() throws IOException {}
}
