package tracer.perfetto;

/** Takes the begins and ends of spans, each of which has both in a file, or ends with it. */
interface SpanOutput {

  /** A span of a thread begins. */
  void begin(ThreadSpans thread, OpenSpan span, long time, Note note);

  /** A span of a thread ends. */
  void end(ThreadSpans thread, OpenSpan span, long time, Note note);

  /** An asynchronous span begins. */
  void beginAsync(OpenSpan span, long id, long time, Note note);

  /** An asynchronous span ends. */
  void endAsync(OpenSpan span, long id, long time, Note note);
}
