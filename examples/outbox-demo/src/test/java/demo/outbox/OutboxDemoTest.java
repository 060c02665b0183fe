package demo.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The demo does what it says. */
class OutboxDemoTest {

  @Test
  @Timeout(60)
  void theDemoEndsWithBalancedBooks() throws Exception {
    List<String> lines = linesOfTheDemo();

    assertThat(lines)
        .contains("   confirmed {\"order\":1}", "   payment booked {\"order\":9}")
        .filteredOn(line -> line.startsWith("   printed"))
        .hasSize(6);
    assertThat(lines).filteredOn(line -> line.startsWith("   export failed")).hasSize(3);
    assertThat(lines).endsWith("published 9 = done 8 + dead 1 + open 0", "The books balance.");
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
