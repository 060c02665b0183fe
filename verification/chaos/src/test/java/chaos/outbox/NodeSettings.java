package chaos.outbox;

import java.nio.file.Path;
import java.time.Duration;
import outbox.dispatch.LeaseSettings;

/**
 * What a node is started with.
 *
 * @param publishers how many threads publish
 * @param pause how long each of them waits between transactions
 * @param events how many events this node publishes; ignored where there are aggregates to fill
 * @param failing how many deliveries in a hundred fail
 * @param versions how many ordered events each aggregate gets; zero for events without an order
 * @param stuck the aggregate whose listener always fails; -1 for none
 */
record NodeSettings(
    String url,
    String user,
    String password,
    String name,
    long seed,
    Path signals,
    int publishers,
    Duration pause,
    int events,
    int failing,
    int versions,
    int stuck) {

  /** Short, so that what a killed node held is soon delivered by another. */
  static final Duration LEASE = Duration.ofSeconds(4);

  /** More than chance lets fail in a row, and soon reached by a listener that always fails. */
  static final int MAX_ATTEMPTS = 20;

  /** Publish no more. */
  static final String STOP = "stop";

  /** Close and end. */
  static final String LEAVE = "leave";

  static NodeSettings parse(String[] args) {
    return new NodeSettings(
        args[0],
        args[1],
        args[2],
        args[3],
        Long.parseLong(args[4]),
        Path.of(args[5]),
        Integer.parseInt(args[6]),
        Duration.parse(args[7]),
        Integer.parseInt(args[8]),
        Integer.parseInt(args[9]),
        Integer.parseInt(args[10]),
        Integer.parseInt(args[11]));
  }

  String[] args() {
    return new String[] {
      url,
      user,
      password,
      name,
      Long.toString(seed),
      signals.toString(),
      Integer.toString(publishers),
      pause.toString(),
      Integer.toString(events),
      Integer.toString(failing),
      Integer.toString(versions),
      Integer.toString(stuck)
    };
  }

  LeaseSettings lease() {
    return new LeaseSettings(
        name, LEASE, Duration.ofSeconds(1), Duration.ofMillis(500), Duration.ofMinutes(1));
  }
}
