package benchmarks;

import java.sql.SQLException;

/**
 * One way to publish an event with a business transaction and to have it delivered. Publishing is
 * safe for use by many threads; the rest is for one.
 */
public interface Contender extends AutoCloseable {

  /** The name in the tables of results. */
  String name();

  /**
   * One transaction: a business row and an event that carries the number.
   *
   * @param number identifies the event
   * @throws SQLException if the database refuses
   */
  void publish(long number) throws SQLException;

  /** A query for whether anything is left to be delivered or to be marked as delivered. */
  String unfinished();

  @Override
  void close();
}
