package demo.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The demo does what it says, and what its README says. */
class OutboxDemoTest {

  @Test
  @Timeout(60)
  void theStoryEndsWithEveryEventAccountedFor() throws Exception {
    List<String> lines = linesOfTheDemo();

    assertThat(lines)
        .containsSubsequence(
            "   mail: confirmed order 1",
            "   orders in the table: 1, events: 1",
            "   no publish failed: 2 events fill the hot queue, the others wait in the table",
            "   bank: attempt 1, no answer",
            "   bank: attempt 2, booked order 9",
            "   archive: attempt 3, no room",
            "   outbox accepted=9 delivered=8 held=1(dead=1) lost=0 unaccounted=0",
            "   archive: stored order 10",
            "   redelivered: 1");
    assertThat(lines).filteredOn(line -> line.startsWith("   warehouse: printed")).hasSize(6);
    assertThat(lines)
        .filteredOn(line -> line.startsWith("   dead: "))
        .singleElement()
        .asString()
        .contains("OrderArchived after 3 attempts", "the archive's disk is full");
    assertThat(lines)
        .as("the log is part of the story, a line each")
        .filteredOn(line -> line.startsWith("   [SEVERE] outbox dead eventId="))
        .singleElement()
        .asString()
        .contains(" type=OrderArchived attempts=3 ")
        .endsWith("the archive's disk is full");
    assertThat(lines).allMatch(line -> line.lastIndexOf("outbox dead") <= "   [SEVERE] ".length());
    assertThat(lines)
        .endsWith(
            "The ledger:",
            "outbox accepted=9 delivered=9 held=0 lost=0 unaccounted=0",
            "Every order was delivered.");
    assertThat(lastLinesOfTheReadme()).isEqualTo(lines.subList(lines.size() - 3, lines.size()));
  }

  private static List<String> lastLinesOfTheReadme() throws IOException {
    List<String> readme = Files.readAllLines(Path.of("README.md"));
    int first = readme.indexOf("The ledger:");
    return readme.subList(first, first + 3);
  }

  private static List<String> linesOfTheDemo() throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      OutboxDemo.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    return written.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
