package holdfast.testkit.db;

/** A database server this process has started. Confined to its keeper. */
interface RunningServer {

  /** How many connections a server takes: enough for many test JVMs at once. */
  int MAX_CONNECTIONS = 300;

  /** The port it listens on. */
  int port();

  /** Stops it and waits until it has stopped. */
  void stop() throws Exception;
}
