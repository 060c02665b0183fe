/** The tracer's files: Perfetto traces in segments, and a reader for them. */
module io.holdfast.tracer.perfetto {
  requires transitive io.holdfast.tracer;
  requires static org.jspecify;

  exports tracer.perfetto;
}
