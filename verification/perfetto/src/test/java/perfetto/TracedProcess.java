package perfetto;

import java.nio.file.Path;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.Tracer;
import tracer.perfetto.PerfettoFiles;

/** A process that writes a trace of its own: where, and under which name. */
final class TracedProcess {
  private static final TraceEvent OUTER = TraceEvent.named("process.outer");
  private static final TraceEvent INNER = TraceEvent.named("process.inner");
  private static final TraceEvent QUEUE = TraceEvent.named("process.queue").unit("events");
  private static final TraceEvent MESSAGE = TraceEvent.named("process.message");
  private static final long FLOW = 0x5EED;

  private TracedProcess() {}

  public static void main(String[] arguments) {
    Tracer tracer =
        Tracer.builder(PerfettoFiles.in(Path.of(arguments[0])).processName(arguments[1])).build();
    tracer.start();
    tracer.index().flow(MESSAGE, FLOW);
    for (int i = 0; i < 10; i++) {
      try (TraceSpan outer = tracer.index().span(OUTER, i);
          TraceSpan inner = tracer.index().span(INNER)) {
        tracer.index().counter(QUEUE, i + (outer == inner ? 1 : 0));
      }
    }
    tracer.close();
  }
}
