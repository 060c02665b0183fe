package eventlog.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineReaderTest {
  private static final int MOST = 50;

  @TempDir Path directory;

  private List<String> read(String content, long offset) throws IOException {
    Path file = Files.writeString(directory.resolve("file"), content);
    List<String> lines = new ArrayList<>();
    try (LineReader reader = new LineReader(file, offset, MOST)) {
      while (reader.next()) {
        String line =
            new String(reader.array(), reader.from(), reader.count(), StandardCharsets.UTF_8);
        lines.add(line + (reader.isTooLong() ? "…" : "") + "@" + reader.nextOffset());
      }
    }
    return lines;
  }

  @Test
  void linesComeInOrderWithThePlaceOfTheNext() throws IOException {
    assertThat(read("a\nbc\n\nd\n", 0)).containsExactly("a@2", "bc@5", "@6", "d@8");
    assertThat(read("a\nbc\n", 2)).containsExactly("bc@5");
    assertThat(read("", 0)).isEmpty();
    assertThat(read("a\n", 2)).isEmpty();
  }

  @Test
  void theLastLineNeedsNoLineFeed() throws IOException {
    assertThat(read("a\nb", 0)).containsExactly("a@2", "b@3");
  }

  @Test
  void ofALongLineOnlyTheBeginningComes() throws IOException {
    String exact = "x".repeat(MOST);
    String longer = "y".repeat(MOST + 1);
    String huge = "z".repeat(10 * MOST);

    assertThat(read(exact + "\n" + longer + "\nb\n" + huge + "\nc", 0))
        .containsExactly(
            exact + "@51",
            "y".repeat(MOST) + "…@103",
            "b@105",
            "z".repeat(MOST) + "…@606",
            "c@607");
    assertThat(read("a\n" + huge, 0)).containsExactly("a@2", "z".repeat(MOST) + "…@502");
  }

  @Test
  void anyContentComesBackByteForByte() throws IOException {
    Random random = new Random(7);
    for (int round = 0; round < 300; round++) {
      StringBuilder content = new StringBuilder();
      List<String> expected = new ArrayList<>();
      for (int line = random.nextInt(60); line > 0; line--) {
        String text = "abc".repeat(40).substring(0, random.nextInt(3 * MOST / 2));
        content.append(text).append('\n');
        boolean tooLong = text.length() > MOST;
        expected.add((tooLong ? text.substring(0, MOST) + "…" : text) + "@" + content.length());
      }
      assertThat(read(content.toString(), 0)).as("round %d", round).isEqualTo(expected);
    }
  }
}
