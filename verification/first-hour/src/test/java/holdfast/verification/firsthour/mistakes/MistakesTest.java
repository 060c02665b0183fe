package holdfast.verification.firsthour.mistakes;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.verification.firsthour.mistakes.Mistake.Library;
import holdfast.verification.firsthour.mistakes.Mistake.Occasion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A new user who makes a mistake reads what happened, what was found and how to fix it. */
@Timeout(120)
class MistakesTest {
  private static final int LEAST = 50;

  static List<Mistake> mistakes() {
    return Mistakes.all();
  }

  static List<LegalUse> legalUses() {
    return LegalUses.all();
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void theMessageSaysWhatHappenedWhatWasFoundAndHowToFixIt(Mistake mistake) {
    assertThat(Mistakes.message(mistake))
        .as("what happened")
        .contains(mistake.happened())
        .as("what was found")
        .contains(mistake.found())
        .as("how to fix it")
        .contains(mistake.fix());
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void springBootShowsTheMessageInsteadOfAStackTrace(Mistake mistake) {
    assertThat(Mistakes.message(mistake).startsWith("Description:"))
        .isEqualTo(mistake.occasion() == Occasion.BOOT);
  }

  @ParameterizedTest
  @MethodSource("legalUses")
  void whatIsAllowedDoesWhatThePageSays(LegalUse use) throws Exception {
    use.check().run();
  }

  @Test
  void thereAreFiftyAndTheThreePartsOfEachAreDifferent() {
    assertThat(mistakes()).hasSizeGreaterThanOrEqualTo(LEAST);
    assertThat(mistakes()).extracting(Mistake::toString).doesNotHaveDuplicates();
    assertThat(mistakes()).extracting(Mistake::library).contains(Library.values());
    assertThat(mistakes())
        .allSatisfy(
            mistake ->
                assertThat(List.of(mistake.happened(), mistake.found(), mistake.fix()))
                    .doesNotHaveDuplicates()
                    .allSatisfy(part -> assertThat(part).hasSizeGreaterThan(3)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "missing table",
        "wrong column type",
        "missing privilege",
        "database down",
        "no DataSource",
        "two DataSources",
        "unknown database",
        "reserved word",
        "mistyped property",
        "zero",
        "negative",
        "soft timeout above the hard one",
        "two points of one name",
        "two handlers with the same id",
        "listener of an unsupported type",
        "publish without a transaction",
        "read-only transaction",
        "committed twice",
        "after close",
        "missing bean",
        "final method annotated",
        "private method annotated",
        "static method annotated",
        "self-invocation",
        "argument that makes no key",
        "answer that cannot be read again",
        "spill directory is read-only",
        "spill directory of another process",
        "http: with a token",
        "no permission on the trace directory",
        "event type that no listener has"
      })
  void theMistakesThatNewUsersMakeMostAreAmongThem(String words) {
    assertThat(mistakes()).extracting(Mistake::name).anyMatch(name -> name.contains(words));
  }

  @Test
  void thePageIsTrue() throws IOException {
    Path page = page();
    if (Boolean.getBoolean("mistakes.write")) {
      Files.writeString(page, MistakesPage.text());
    }
    assertThat(Files.readString(page))
        .as("docs/mistakes.md; run this test with -Dmistakes.write=true to make it anew")
        .isEqualTo(MistakesPage.text());
  }

  private static Path page() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("docs/reference.md"))) {
      folder = folder.getParent();
    }
    return folder.resolve("docs/mistakes.md");
  }
}
