package benchmarks;

import java.sql.SQLException;

/** One way to work off events that are stored in a table. For one thread. */
public interface Drainer extends AutoCloseable {

  /**
   * Stores events, numbered from zero, before any work begins.
   *
   * @param events how many
   * @throws SQLException if the database refuses
   */
  void store(int events) throws SQLException;

  /** Begins to work. */
  void start();

  /** A query for whether anything is left to be done. */
  String unfinished();

  @Override
  void close();
}
