package holdfast.jdbc;

import holdfast.work.Nodes;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Pauses and resumes the delivery of events, of one type or of all, for all nodes that share the
 * tables. This node acts at once, the others within 5 seconds. Publishing goes on: events of a
 * paused type wait in the table. What waits for a worker is released, and what runs is finished.
 * Safe for use by many threads.
 */
public final class DeliveryControl {
  private static final int MAX_TYPE = 128;

  private final NodeTables tables;
  private final BiFunction<String, SQLException, RuntimeException> failure;

  /**
   * Creates a control over the nodes of those tables.
   *
   * @param tables the tables
   * @param failure makes the library's exception of what was tried and what the database said
   */
  public DeliveryControl(
      NodeTables tables, BiFunction<String, SQLException, RuntimeException> failure) {
    this.tables = tables;
    this.failure = failure;
  }

  private interface Action {
    void run() throws SQLException;
  }

  /**
   * Pauses a type until it is resumed; does nothing if it is paused. Throws the library's exception
   * if the database fails or the tables for it are missing.
   *
   * @param type the type
   * @throws IllegalArgumentException if it has no character or more than 128
   */
  public void pause(String type) {
    run("pause", () -> tables.pause(valid(type)));
  }

  /** Pauses all types, also those that are new later; see {@link #pause}. */
  public void pauseAll() {
    pause(Nodes.ALL_TYPES);
  }

  /**
   * Resumes a type; does nothing if it is not paused. While all types are paused, it stays so.
   * Throws as {@link #pause} does.
   *
   * @param type the type
   * @throws IllegalArgumentException if it has no character or more than 128
   */
  public void resume(String type) {
    run("resume", () -> tables.resume(valid(type)));
  }

  /** Resumes everything, also the types that were paused one by one. */
  public void resumeAll() {
    run("resume", tables::resumeAll);
  }

  /**
   * Returns what is paused, and since when by the database's clock: types in alphabetical order,
   * and {@code *} if all are paused. Asks the database, and throws the library's exception if that
   * fails; empty if the tables for it are missing.
   */
  public Map<String, Instant> paused() {
    try {
      return tables.pausedSince();
    } catch (SQLException e) {
      throw failure.apply("read what is paused", e);
    }
  }

  /**
   * Returns what is paused as far as this node knows, without asking the database: a node that
   * takes events asks every 5 seconds. {@code *} stands for all types.
   */
  public Set<String> knownPaused() {
    return tables.pausedTypes();
  }

  private void run(String what, Action action) {
    try {
      action.run();
    } catch (SQLException e) {
      throw failure.apply(what, e);
    }
  }

  private static String valid(String type) {
    if (type.isEmpty() || type.length() > MAX_TYPE) {
      throw new IllegalArgumentException(
          "type must have 1 to %d characters, or be %s for all types, but was '%s'"
              .formatted(MAX_TYPE, Nodes.ALL_TYPES, type));
    }
    return type;
  }
}
