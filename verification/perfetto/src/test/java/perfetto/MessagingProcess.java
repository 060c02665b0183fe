package perfetto;

import static tracer.ArgumentType.LONG;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import tracer.IndexLane;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.Tracer;
import tracer.perfetto.PerfettoFiles;

/**
 * A process that gets messages, which are numbers, and answers each with the next; all of it is in
 * a trace of its own: where, and under which name.
 */
final class MessagingProcess {
  private static final TraceEvent HANDLE = TraceEvent.named("message.handle").arg("number", LONG);
  private static final TraceEvent RECEIVED =
      TraceEvent.named("message.received").arg("number", LONG);
  private static final TraceEvent SENT = TraceEvent.named("message.sent").arg("number", LONG);
  private static final long FLOWS = 0x5EED_0000L;

  private MessagingProcess() {}

  public static void main(String[] arguments) throws IOException {
    Tracer tracer =
        Tracer.builder(PerfettoFiles.in(Path.of(arguments[0])).processName(arguments[1])).build();
    tracer.start();
    IndexLane trace = tracer.index();
    BufferedReader messages =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.out.println("ready");
    for (String message = messages.readLine(); message != null; message = messages.readLine()) {
      long number = Long.parseLong(message);
      try (TraceSpan handling = trace.span(HANDLE, number)) {
        handling.endFlow(FLOWS + number);
        trace.record(RECEIVED, number);
        trace.record(SENT, number + 1);
        trace.flow(SENT, FLOWS + number + 1);
        System.out.println(number + 1);
      }
    }
    tracer.close();
  }
}
