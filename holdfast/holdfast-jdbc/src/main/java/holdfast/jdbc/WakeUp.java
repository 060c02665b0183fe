package holdfast.jdbc;

import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Whether a node on PostgreSQL is woken when another node publishes, instead of at its next poll.
 * Immutable; safe for use by many threads.
 */
public final class WakeUp {
  /**
   * Each node that polls keeps one connection of the library's data source to be woken on. Does
   * nothing on other databases, and nodes are not woken if the pool has fewer than 4 connections.
   */
  public static final WakeUp ON = new WakeUp(true, null);

  /** Nodes only poll. */
  public static final WakeUp OFF = new WakeUp(false, null);

  private final boolean on;
  private final @Nullable DataSource dataSource;

  private WakeUp(boolean on, @Nullable DataSource dataSource) {
    this.on = on;
    this.dataSource = dataSource;
  }

  /**
   * Has nodes woken on a connection of another data source, of any size. Take this where the
   * library's own leads to a pooler such as PgBouncer, whose transaction mode passes no
   * notifications on, or has no connection to spare.
   *
   * @param dataSource leads to the same database; one connection is taken from it and kept
   */
  public static WakeUp on(DataSource dataSource) {
    return new WakeUp(true, Objects.requireNonNull(dataSource, "dataSource"));
  }

  boolean isOn() {
    return on;
  }

  /** Where to take the connection that is kept; null for the library's own data source. */
  @Nullable DataSource dataSource() {
    return dataSource;
  }
}
