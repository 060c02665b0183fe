package holdfast.jdbc;

/** MariaDB: MySQL's words, its own versions. Immutable, safe for use by many threads. */
final class MariaDbDialect extends MySqlDialect {

  private static final ServerVersion SKIP_LOCKED_SINCE = new ServerVersion(10, 6, 0);

  MariaDbDialect(ServerVersion version) {
    super("mariadb", version, SKIP_LOCKED_SINCE);
  }

  /** The level of the scalars counts as the 32nd. */
  @Override
  public int maxJsonDepth() {
    return 31;
  }
}
