package holdfast.testkit.db;

/** A database product that tests run against. */
public enum DatabaseKind {

  /** H2 in its regular mode, in the memory of the test's own JVM: no other process reaches it. */
  H2,

  /** A PostgreSQL server on this machine. */
  POSTGRESQL,

  /** A MariaDB server on this machine. */
  MARIADB;

  /** The product as its makers spell it, for messages. */
  String productName() {
    return switch (this) {
      case H2 -> "H2";
      case POSTGRESQL -> "PostgreSQL";
      case MARIADB -> "MariaDB";
    };
  }

  Engine engine() {
    return switch (this) {
      case H2 -> new H2Engine();
      case POSTGRESQL -> new PostgresqlEngine();
      case MARIADB -> new MariadbEngine();
    };
  }
}
