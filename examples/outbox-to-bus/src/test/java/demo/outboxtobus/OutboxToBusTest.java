package demo.outboxtobus;

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

/** The example does what it says, and what its README says. */
class OutboxToBusTest {

  @Test
  @Timeout(60)
  void everyOrderGoesThroughBothRoomsOnce() throws Exception {
    List<String> lines = linesOfTheExample();

    assertThat(lines)
        .containsSubsequence(
            "   orders: 5, events: 5",
            "   outbox: cut off after the commit of order 7",
            "   invoice: order 8");
    for (int order : new int[] {1, 2, 3, 4, 5, 7, 8}) {
      assertThat(lines).containsOnlyOnce("   invoice: order " + order);
    }
    assertThat(lines).filteredOn(line -> line.startsWith("   invoice: ")).hasSize(7);
    assertThat(lines)
        .filteredOn(line -> line.contains("eventbus handler failed"))
        .singleElement()
        .asString()
        .contains("paper jam");
    assertThat(lines)
        .endsWith(
            "The ledger:",
            "outbox accepted=7 delivered=7 held=0 lost=0 unaccounted=0",
            "eventbus accepted=7 delivered=7 held=0 lost=0 unaccounted=0",
            "Every order went through both libraries once.");
    assertThat(lastLinesOfTheReadme()).isEqualTo(lines.subList(lines.size() - 4, lines.size()));
  }

  private static List<String> lastLinesOfTheReadme() throws IOException {
    List<String> readme = Files.readAllLines(Path.of("README.md"));
    int first = readme.indexOf("The ledger:");
    return readme.subList(first, first + 4);
  }

  private static List<String> linesOfTheExample() throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      OutboxToBus.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    return written.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
