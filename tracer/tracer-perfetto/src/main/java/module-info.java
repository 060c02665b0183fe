/** The tracer's files: Perfetto traces in segments, a reader and a tool for them. */
module io.holdfast.tracer.perfetto {
  requires transitive io.holdfast.tracer;
  requires info.picocli;
  requires static org.jspecify;

  exports tracer.perfetto;

  opens tracer.perfetto to
      info.picocli;
}
