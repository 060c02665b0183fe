package tracer.sink;

import java.io.IOException;
import java.nio.file.Path;

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
   * Prepares in memory what {@link #write} is to write: called before it, with the same events.
   * Optional. The time it takes is not counted as time of the disk.
   *
   * @param batch the events; not to be kept
   * @throws IOException if it cannot; it is tried again
   */
  default void encode(TraceBatch batch) throws IOException {}

  /**
   * Takes events: those of a ring in batches of 256 KiB, a larger event alone.
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

  /**
   * Names a file for a dump of a flight recorder, another one each time. Optional; does not make
   * it. Safe to be called by any thread, also before {@link #open}.
   *
   * @throws UnsupportedOperationException if the sink does not write to files
   */
  default Path newDumpFile() {
    throw new UnsupportedOperationException(
        getClass().getName() + " has no place for dumps; use a sink such as PerfettoFiles");
  }

  /**
   * Checks whether dumps of a flight recorder can be written where {@link #newDumpFile} puts them.
   * Optional; does nothing by default. Called in place of {@link #open} when a flight recorder
   * starts, so that a directory that cannot be used is reported before a dump is needed.
   *
   * @throws IOException if they cannot; it is tried again
   */
  default void checkDumps() throws IOException {}

  /**
   * Returns a sink that writes one dump of a flight recorder. Optional.
   *
   * @param file where to; made by the sink that is returned
   * @throws UnsupportedOperationException if the sink does not write to files
   */
  default TraceSink dumpTo(Path file) {
    throw new UnsupportedOperationException(
        getClass().getName() + " cannot write dumps; use a sink such as PerfettoFiles");
  }

  /** How many bytes were written so far. Safe to be called by any thread. */
  default long bytesWritten() {
    return 0;
  }

  @Override
  default void close() throws IOException {}
}
