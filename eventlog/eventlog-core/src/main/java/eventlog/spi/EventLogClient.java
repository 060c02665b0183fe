package eventlog.spi;

import eventlog.EventLogEntry;
import java.util.List;

/**
 * The way to the Event Log API.
 *
 * <p>Must be safe for use by many threads: live events and events from disk are sent at the same
 * time. The same event may be sent again, with the same idempotency key.
 */
public interface EventLogClient {

  /**
   * Sends events in one request, and waits for the answer.
   *
   * @param events 1 or more, in the order they were logged
   * @return how the answer is to be understood
   * @throws Exception if there was no answer; the request counts as failed and is made again later,
   *     as after {@link Answer#later}. This holds for errors as well
   */
  Answer send(List<EventLogEntry> events) throws Exception;

  /**
   * Returns where events are sent to, for log lines: without user, password, key or token.
   *
   * @return the address; the name of the class unless overridden
   */
  default String address() {
    return getClass().getSimpleName();
  }
}
