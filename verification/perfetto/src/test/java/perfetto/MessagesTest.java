package perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Three processes that send each other messages: joined, their events are in the right order. */
class MessagesTest extends TraceFixture {
  private static final int PROCESSES = 3;
  private static final int MESSAGES = 300;

  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void endAll() {
    processes.forEach(Process::destroyForcibly);
  }

  /** Has a message go round from process to process, each of which adds one to it. */
  private void exchangeMessages() throws IOException, InterruptedException {
    List<BufferedReader> from = new ArrayList<>();
    List<Writer> to = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      Process process = java(MessagingProcess.class, directory.toString(), "shop-" + i).start();
      processes.add(process);
      // One that hangs is ended, so that nobody waits for its lines for ever.
      CompletableFuture.delayedExecutor(60, TimeUnit.SECONDS).execute(process::destroyForcibly);
      from.add(process.inputReader(StandardCharsets.UTF_8));
      to.add(process.outputWriter(StandardCharsets.UTF_8));
      awaitLine("ready", from.get(i));
    }
    for (int i = 0; i < MESSAGES; i++) {
      to.get(i % PROCESSES).write(i + "\n");
      to.get(i % PROCESSES).flush();
      awaitLine(Integer.toString(i + 1), from.get(i % PROCESSES));
    }
    for (int i = 0; i < PROCESSES; i++) {
      to.get(i).close();
      awaitEnd(processes.get(i));
    }
  }

  /** Reads over lines of the log. */
  private static void awaitLine(String wanted, BufferedReader from) throws IOException {
    String line = from.readLine();
    while (!wanted.equals(line)) {
      assertThat(line).as("a line before the end").isNotNull();
      line = from.readLine();
    }
  }

  /** What happened, in its order: received 0, sent 1, received 1, … */
  private static List<String> inOrder() {
    List<String> events = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      String process = "shop-" + i % PROCESSES;
      events.add(process + " | message.received | " + i);
      events.add(process + " | message.sent | " + (i + 1));
    }
    return events;
  }

  private static final String EVENTS =
      "select p.name, s.name, extract_arg(s.arg_set_id, '%s') from slice s"
          + " join thread_track k on s.track_id = k.id join thread t using (utid)"
          + " join process p using (upid) where s.name in ('message.received', 'message.sent')"
          + " and extract_arg(s.arg_set_id, '%s') is not null order by s.ts, s.id";

  @Test
  void theirEventsAreInTheOrderInWhichTheyHappened() throws Exception {
    exchangeMessages();
    Path joined = joined(files());

    assertThat(processor.open(joined).complaints()).isEmpty();
    assertThat(processor.rows(EVENTS.replace("%s", "debug.number"))).isEqualTo(inOrder());
    assertThat(
            processor.rows(
                "select count(*), count(distinct po.upid), min(i.ts > o.ts), min(po.upid != pi.upid)"
                    + " from flow f join slice o on f.slice_out = o.id"
                    + " join slice i on f.slice_in = i.id"
                    + " join thread_track ko on o.track_id = ko.id join thread po on ko.utid ="
                    + " po.utid join thread_track ki on i.track_id = ki.id join thread pi on"
                    + " ki.utid = pi.utid"))
        .as("each message is an arrow from the sender to the receiver, forward in time")
        .containsExactly((MESSAGES - 1) + " | 3 | 1 | 1");

    assertThat(processor.open(exported(joined)).complaints()).isEmpty();
    assertThat(processor.rows(EVENTS.replace("%s", "args.number"))).isEqualTo(inOrder());
  }
}
