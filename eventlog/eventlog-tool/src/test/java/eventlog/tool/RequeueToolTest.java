package eventlog.tool;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.AsyncEventLogger;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code eventlog requeue DIR}. */
class RequeueToolTest extends ToolFixture {

  private Run requeue(String... reasons) {
    String[] args = new String[2 + reasons.length];
    args[0] = "requeue";
    args[1] = directory.toString();
    for (int i = 0; i < reasons.length; i++) {
      args[i + 2] = "--reason=" + reasons[i];
    }
    return here(args);
  }

  /** Leaves two refused events and a line that is none in quarantine. */
  private void setAside() throws IOException {
    fill(directory, "e", 4);
    Files.writeString(directory.resolve(ACTIVE), "no event\n", StandardOpenOption.APPEND);
    server.faults().poison("e-1");
    here(replayArgs());
    fill(directory, "f", 1);
    server.faults().poison("f-0");
    here(replayArgs());
    server.faults().poison("");
    assertThat(text(QUARANTINE).lines()).hasSize(3);
  }

  @Test
  void whatWasRefusedIsBroughtBackAndSent() throws Exception {
    fill(directory, "e", 3);
    server.faults().poison("e-1");
    assertThat(replay().exit()).isEqualTo(1);
    server.faults().poison("");

    tool("requeue", directory.toString()).assertDone("requeued 1, left in quarantine 0");

    assertThat(exists(QUARANTINE)).isFalse();
    assertThat(text(ACTIVE)).startsWith("{\"seq\":").contains("\"e-1\"");
    replay().assertDone("found 1, sent 1, set aside 0, left 0");
    assertThat(server.copies()).containsOnlyKeys("e-0", "e-1", "e-2");
  }

  @Test
  void whatIsNoEventStays() throws IOException {
    setAside();

    Run run = requeue();

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out().lines())
        .containsExactly(
            "requeued 2, left in quarantine 1", "  unreadable_line 1: not readable as an event");
    assertThat(text(QUARANTINE).lines())
        .singleElement()
        .asString()
        .contains("\"reason\":\"unreadable_line\"", "\"line\":\"no event\"");
    assertThat(text(ACTIVE)).contains("\"e-1\"", "\"f-0\"");
  }

  @Test
  void onlyOneReasonIfThatIsWanted() throws IOException {
    setAside();

    Run other = requeue("torn_line");
    assertThat(other.exit()).isZero();
    assertThat(other.out().strip()).isEqualTo("requeued 0, left in quarantine 3");
    assertThat(text(QUARANTINE).lines()).hasSize(3);
    Run run = requeue("torn_line", "rejected_by_api");
    assertThat(run.exit()).isZero();
    assertThat(run.out().strip()).isEqualTo("requeued 2, left in quarantine 1");
  }

  @Test
  void aLineThatWasMendedByHandIsAnEvent() throws IOException {
    setAside();
    String event = text(QUARANTINE).lines().filter(line -> line.contains("e-1")).findFirst().get();
    String json = event.substring(event.indexOf("\"event\":") + 8, event.length() - 1);
    String mended =
        json.replace("\"e-1\"", "\"mended\"").replace("\\", "\\\\").replace("\"", "\\\"");
    Path quarantine = directory.resolve(QUARANTINE);
    Files.writeString(quarantine, text(QUARANTINE).replace("no event", mended));

    Run run = requeue("unreadable_line");

    assertThat(run.out().strip()).isEqualTo("requeued 1, left in quarantine 2");
    here(replayArgs());
    assertThat(server.copies()).containsKey("mended");
  }

  @Test
  void anEventIsBroughtBackAsItWas() throws IOException {
    server.faults().poison("rich");
    try (AsyncEventLogger logger = spilling(directory)) {
      logger.log(
          event("rich")
              .metadata(Map.of("price", new BigDecimal("1.50"), "ü", "\n"))
              .stepSequence(7)
              .eventTimestamp(FIRST)
              .build());
      Eventually.await("spilled", () -> logger.metrics().eventsSpilled() == 1);
    }
    String before = fields(text(ACTIVE));
    here(replayArgs());

    assertThat(requeue().exit()).isZero();

    assertThat(fields(text(ACTIVE))).isEqualTo(before).contains("\"price\":1.50");
  }

  /** A line without its number and its checksum. */
  private static String fields(String line) {
    return line.substring(line.indexOf(','), line.lastIndexOf(",\"crc32c\""));
  }

  @Test
  void aDirectoryInUseIsRefused() throws Exception {
    setAside();
    String before = text(QUARANTINE);
    AsyncEventLogger logger = spilling(directory);
    try (logger) {
      Run run = tool("requeue", directory.toString());

      assertThat(run.exit()).isEqualTo(3);
      assertThat(run.err()).contains("must not be in use but is, by {\"pid\":");
      assertThat(text(QUARANTINE)).isEqualTo(before);
    }
  }

  @Test
  void withoutAQuarantineThereIsNothingToDo() {
    fill(directory, "e", 1);

    requeue().assertDone("requeued 0, left in quarantine 0");
    assertThat(exists(QUARANTINE)).isFalse();
    assertThat(exists("eventlog-spillover.quarantine.rest")).isFalse();
  }
}
