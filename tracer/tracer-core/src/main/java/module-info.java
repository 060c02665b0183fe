/** The tracer: millions of events a second into bounded memory, drained to a sink. */
module io.holdfast.tracer {
  requires transitive io.holdfast.core;
  requires java.management;
  requires static jdk.jfr;
  requires static org.jspecify;

  exports tracer;
  exports tracer.sink;
}
