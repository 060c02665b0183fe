package holdfast.jdbc;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.LibraryLogger;
import holdfast.work.Nodes;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * Pauses and resumes the delivery of events, of one type or of all, for all nodes that share the
 * tables. This node acts at once, the others within 5 seconds. Publishing goes on: events of a
 * paused type wait in the table. What waits for a worker is released, and what runs is finished.
 * Safe for use by many threads.
 */
public final class DeliveryControl {
  private static final int MAX_TYPE = 128;

  private final System.Logger log;
  private final String library;
  private final NodeTables tables;
  private final Predicate<String> handled;
  private final BiFunction<String, SQLException, RuntimeException> failure;

  /**
   * Creates a control over the nodes of those tables.
   *
   * @param library the library's name, the first word of its log lines
   * @param tables the tables
   * @param handled whether a type has a handler here; always, on a node that only publishes
   * @param failure makes the library's exception of what was tried and what the database said
   */
  public DeliveryControl(
      String library,
      NodeTables tables,
      Predicate<String> handled,
      BiFunction<String, SQLException, RuntimeException> failure) {
    this.log = LibraryLogger.of(library);
    this.library = library;
    this.tables = tables;
    this.handled = handled;
    this.failure = failure;
  }

  private interface Action {
    void run() throws SQLException;
  }

  /**
   * Pauses a type until it is resumed; does nothing if it is paused. A type without a handler here
   * is paused too, and named in a warning. Throws the library's exception if the database fails or
   * the tables for it are missing.
   *
   * @param type the type; {@code *} pauses all, as {@link #pauseAll} does
   * @throws IllegalArgumentException if it is blank, has white space at its ends or more than 128
   *     characters
   */
  public void pause(String type) {
    run("pause", () -> tables.pause(valid(type)));
    if (!type.equals(Nodes.ALL_TYPES) && !handled.test(type)) {
      log.log(
          WARNING,
          library + " paused a type that nothing here handles: check its spelling type=" + type);
    }
  }

  /** Pauses all types, also those that are new later; see {@link #pause}. */
  public void pauseAll() {
    pause(Nodes.ALL_TYPES);
  }

  /**
   * Resumes a type; does nothing if it is not paused. While all types are paused, it stays so.
   * Throws as {@link #pause} does.
   *
   * @param type the type; {@code *} resumes everything, as {@link #resumeAll} does
   * @throws IllegalArgumentException if it is blank, has white space at its ends or more than 128
   *     characters
   */
  public void resume(String type) {
    if (valid(type).equals(Nodes.ALL_TYPES)) {
      resumeAll();
    } else {
      run("resume", () -> tables.resume(type));
    }
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
    Objects.requireNonNull(
        type, "a type must be given but was null; name the type of the events, or * for all types");
    if (type.isBlank() || type.length() > MAX_TYPE || !type.equals(type.strip())) {
      throw new IllegalArgumentException(
          "type must have 1 to %d characters and no white space at its ends, or be %s for all types, but was '%s'; name the type of the events exactly"
              .formatted(MAX_TYPE, Nodes.ALL_TYPES, type));
    }
    return type;
  }
}
