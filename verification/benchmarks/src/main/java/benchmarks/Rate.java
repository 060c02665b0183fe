package benchmarks;

/**
 * What one contender did in one round. Immutable.
 *
 * @param perSecond events in a second, until the last was marked
 * @param clientMicros processor time of this JVM for an event, in microseconds
 * @param serverMicros processor time of the database server for an event, in microseconds
 */
record Rate(double perSecond, double clientMicros, double serverMicros) {

  @Override
  public String toString() {
    return "%.0f/s, CPU %.0f + %.0f µs".formatted(perSecond, clientMicros, serverMicros);
  }
}
