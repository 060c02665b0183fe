package holdfast.verification.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextsTest {

  private static final String PATH = "outbox/outbox-core/src/main/java/outbox/A.java";

  @Test
  void aFileOf400LinesFitsAndOneLineMoreDoesNot() {
    assertThat(Texts.tooLong(List.of(new SourceFile(PATH, "\n".repeat(400))))).isEmpty();
    assertThat(Texts.tooLong(List.of(new SourceFile(PATH, "\n".repeat(401)))))
        .containsExactly(PATH + ": is longer than 400 lines");
  }

  @Test
  void onlyJavaFilesAreMeasured() {
    SourceFile data = new SourceFile("tracer/src/test/resources/a.csv", "\n".repeat(999));

    assertThat(Texts.tooLong(List.of(data))).isEmpty();
  }

  // In two pieces each, or the check of this repository would find this test.
  @ParameterizedTest
  @ValueSource(strings = {"// TO" + "DO later", "/* FIX" + "ME */", "-- TO" + "DO: an index"})
  void aNoteOfUnfinishedWorkIsFound(String line) {
    assertThat(Texts.unfinished(List.of(new SourceFile(PATH, "class A {\n" + line + "\n}"))))
        .containsExactly(PATH + ": is unfinished: " + line);
  }

  @Test
  void aWordThatContainsTheNoteIsFine() {
    SourceFile file = new SourceFile(PATH, "// A MASTO" + "DON, todos and FIX" + "MENTS");

    assertThat(Texts.unfinished(List.of(file))).isEmpty();
  }
}
