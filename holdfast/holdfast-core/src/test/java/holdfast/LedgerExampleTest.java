package holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.ledger.Ledger;
import holdfast.ledger.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import org.junit.jupiter.api.Test;

/** The example of ARCHITECTURE: compiled here, run here, and the same text there. */
class LedgerExampleTest {

  // spotless:off
  // region reason
  enum Why implements Reason {
    QUEUE_FULL;

    @Override
    public String code() {
      return "queue_full";
    }
  }
  // endregion

  private static void example() {
    // region ledger
    Queue<String> queue = new ArrayBlockingQueue<>(2);
    Ledger ledger = Ledger.builder("letters")
        .reasons(List.of(Why.values()))
        .held("queue", queue::size)
        .build();
    for (String letter : List.of("a", "b", "c")) {
      ledger.accepted(1);
      if (!queue.offer(letter)) {
        ledger.lost(Why.QUEUE_FULL, 1);
      }
    }
    queue.remove();
    ledger.delivered(1);
    System.out.println(ledger.snapshot().toLine());
    // letters accepted=3 delivered=1 held=1(queue=1) lost=1(queue_full=1) unaccounted=0
    // endregion
  }
  // spotless:on

  @Test
  void printsWhatThePageSays() {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      example();
    } finally {
      System.setOut(before);
    }
    assertThat(region("ledger"))
        .contains("// " + printed.toString(StandardCharsets.UTF_8).strip() + "\n");
  }

  @Test
  void isTheTextOfTheArchitecturePage() {
    assertThat(read(Path.of("../../ARCHITECTURE.md")))
        .contains("```java\n" + region("reason") + "```")
        .contains("```java\n" + region("ledger") + "```");
  }

  private static String region(String name) {
    String source = read(Path.of("src/test/java/holdfast/LedgerExampleTest.java"));
    int start = source.indexOf('\n', source.indexOf("// region " + name)) + 1;
    int end = source.lastIndexOf('\n', source.indexOf("// endregion", start));
    return source.substring(start, end).stripIndent() + "\n";
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
