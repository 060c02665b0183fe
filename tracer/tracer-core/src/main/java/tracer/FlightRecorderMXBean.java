package tracer;

import java.io.IOException;

/**
 * A flight recorder as JMX shows it, under {@code tracer:type=FlightRecorder,name=1}; the number is
 * higher for further tracers of the process.
 */
public interface FlightRecorderMXBean {

  /**
   * Writes what is in memory to a file; see {@link Tracer#dump(java.nio.file.Path, String)}.
   *
   * @param file the file to make; blank for one beside the other traces
   * @param reason why; it is recorded in the file
   * @return the file
   * @throws IOException if it cannot be written
   * @throws InterruptedException if the calling thread is interrupted
   */
  String dump(String file, String reason) throws IOException, InterruptedException;
}
