package eventlog.tool;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.AsyncEventLogger;
import eventlog.testkit.Fault;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code eventlog inspect DIR}, and how the tool answers to mistakes. */
class InspectToolTest extends ToolFixture {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private JsonNode json() {
    Run run = here("inspect", directory.toString(), "--json");
    assertThat(run.exit()).isZero();
    return JSON.readTree(run.out()).path("directories");
  }

  @Test
  void whatIsThereIsShownAndNothingIsChanged() throws Exception {
    fill(directory, "e", 3);
    String before = text(ACTIVE);

    Run run = tool("inspect", directory.toString());

    assertThat(run.exit()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines())
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo(directory.toString()),
            line -> assertThat(line).isEqualTo("  used by     nobody"),
            line ->
                assertThat(line)
                    .startsWith("  active      3 events, ")
                    .endsWith(" KiB, 2026-01-01T00:00:00Z to 2026-01-01T00:00:02Z"),
            line -> assertThat(line).isEqualTo("  replay      none"),
            line -> assertThat(line).isEqualTo("  quarantine  none"));
    assertThat(text(ACTIVE)).isEqualTo(before);
    assertThat(json().get(0).path("active").path("events").asInt()).isEqualTo(3);
    assertThat(json().get(0).path("active").path("bytes").asLong())
        .isEqualTo(Files.size(directory.resolve(ACTIVE)));
    assertThat(json().get(0).path("active").path("newest").asString())
        .isEqualTo("2026-01-01T00:00:02Z");
    assertThat(json().get(0).path("usedBy").isNull()).isTrue();
  }

  @Test
  void whoUsesItIsShownAndIsNotDisturbed() throws InterruptedException {
    try (AsyncEventLogger logger = spilling(directory)) {
      logger.log(event("one").build());
      Eventually.await("spilled", () -> logger.metrics().eventsSpilled() == 1);

      assertThat(tool("inspect", directory.toString()).out())
          .contains("used by     {\"pid\":" + ProcessHandle.current().pid(), "1 events");

      logger.log(event("two").build());
      Eventually.await("spilled", () -> logger.metrics().eventsSpilled() == 2);
    }
    assertThat(here("inspect", directory.toString()).out())
        .contains("used by     nobody", "2 events");
  }

  @Test
  void badLinesAreShownWithWhatIsWrongAndWhere() throws IOException {
    fill(directory, "e", 2);
    String line = text(ACTIVE).lines().findFirst().orElseThrow();
    Files.writeString(
        directory.resolve(ACTIVE),
        "no event\n" + line.replace("3 items", "4 items") + "\n" + line.substring(0, 40),
        StandardOpenOption.APPEND);

    assertThat(here("inspect", directory.toString()).out())
        .contains("2 events, ", "3 bad lines, the first of them:")
        .contains("line 3: an event must be readable")
        .contains("line 4: the checksum does not match")
        .contains("line 5: the line is not finished");
    JsonNode active = json().get(0).path("active");
    assertThat(active.path("badLines").asInt()).isEqualTo(3);
    assertThat(active.path("badLinesBy").path("the checksum does not match").asInt()).isEqualTo(1);
    assertThat(active.path("examples").get(2).path("line").asInt()).isEqualTo(5);
  }

  @Test
  void theQuarantineAndTheReplayFileAreShown() throws IOException {
    fill(directory, "e", 4);
    server.faults().poison("e-1");
    here(replayArgs());
    Files.writeString(directory.resolve(QUARANTINE), "{\"reason\":", StandardOpenOption.APPEND);
    fill(directory, "f", 4);
    server.faults().poison("");
    server.faults().set(Fault.UNAUTHORIZED);
    here(replayArgs());

    assertThat(here("inspect", directory.toString()).out())
        .contains("replay      4 events, ")
        .contains("quarantine  2 lines, ", "rejected_by_api 1, unreadable_quarantine_line 1");
    JsonNode quarantine = json().get(0).path("quarantine");
    assertThat(quarantine.path("linesBy").path("rejected_by_api").asInt()).isEqualTo(1);
    assertThat(quarantine.path("oldest").asString()).isNotEmpty();
  }

  @Test
  void mistakesAreExplained() throws Exception {
    assertThat(here().exit()).isEqualTo(2);
    assertThat(here().err()).contains("inspect|replay|requeue");
    assertThat(here("inspect").err()).contains("Missing required parameter: 'DIR'");
    assertThat(here("replay", directory.toString()).err()).contains("'--url");
    assertThat(here("forget", directory.toString()).exit()).isEqualTo(2);
    Run nowhere = tool("inspect", directory.resolve("nowhere").toString());
    assertThat(nowhere.exit()).isEqualTo(2);
    assertThat(nowhere.err())
        .isEqualTo(
            "eventlog: "
                + directory.resolve("nowhere")
                + " must be a spillover directory but is none; check the path");
    Run bad = here(replayArgs("--rate", "0", "--batch-size", "0", "--max-retries", "-1"));
    assertThat(bad.exit()).isEqualTo(2);
    assertThat(bad.err()).contains("--rate must", "--batch-size must", "--max-retries must");
    Run ftp = here("replay", directory.toString(), "--url", "ftp://x");
    assertThat(ftp.exit()).isEqualTo(2);
    assertThat(ftp.err()).contains("baseUri must begin with http: or https: but was ftp://x");
  }

  @Test
  void helpListsTheExitCodes() {
    Run help = here("--help");

    assertThat(help.exit()).isZero();
    for (Exit exit : Exit.values()) {
      assertThat(help.out()).containsPattern("\\n +" + exit.code() + " +\\w");
    }
    assertThat(here("replay", "--help").out()).contains("EVENTLOG_API_KEY", "--redact", "10000");
  }

  @Test
  void filesThatCannotBeReadAreAnErrorOfTheirOwn() throws IOException {
    Files.createDirectory(directory.resolve(ACTIVE));

    Run run = here("inspect", directory.toString());

    assertThat(run.exit()).isEqualTo(4);
    assertThat(run.err()).startsWith("eventlog: the files cannot be read or written: ");
  }
}
