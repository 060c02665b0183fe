package tracer;

/** What the value of an argument is, and how a viewer shows it. */
public enum ArgumentType {
  /** A whole number, recorded as it is. */
  LONG,
  /** A number with a fraction; recorded with {@link TraceValue#of(double)}. */
  DOUBLE,
  /** True or false; recorded with {@link TraceValue#of(boolean)}. */
  BOOLEAN,
  /** One of few texts; recorded with {@link TraceValue#of(String)}. */
  INTERNED_STRING
}
