package failover.jdbc;

import holdfast.jdbc.TableName;

/** The names of the tables. Immutable. */
record Tables(TableName answers, TableName removals, TableName sweep) {

  static Tables of(String prefix) {
    return new Tables(
        TableName.of(prefix + "FAILOVER_STORE"),
        TableName.of(prefix + "FAILOVER_REMOVAL"),
        TableName.of(prefix + "FAILOVER_SWEEP"));
  }
}
