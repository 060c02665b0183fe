package eventlog.appender;

import eventlog.spi.EventLogClient;
import java.util.Set;

/**
 * Makes the client of an appender for the protocols it knows; found by {@link
 * java.util.ServiceLoader}. Must be safe for use by many threads.
 */
public interface AppenderClientProvider {

  /** Returns the protocols, as a configuration names them: {@code http/protobuf}. */
  Set<String> protocols();

  /**
   * Makes a client. The appender closes it at its end if it is an {@link AutoCloseable}.
   *
   * @param settings the settings that are given
   * @return a client
   * @throws IllegalArgumentException if a setting is out of range, naming all of them
   */
  EventLogClient create(ClientSettings settings);
}
