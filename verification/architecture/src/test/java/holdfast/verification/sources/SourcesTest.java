package holdfast.verification.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is asked of every source file, asked of this repository. */
class SourcesTest {

  private static final List<SourceFile> FILES = Repository.here().sourceFiles();

  @Test
  void theSourcesWereFound() {
    assertThat(FILES)
        .anySatisfy(file -> assertThat(file.path()).endsWith("/holdfast/time/TimeSource.java"))
        .anySatisfy(file -> assertThat(file.path()).endsWith("/sources/SourcesTest.java"));
  }

  @Test
  void noJavaFileIsTooLong() {
    assertThat(Texts.tooLong(FILES)).isEmpty();
  }

  @Test
  void nothingIsLeftUnfinished() {
    assertThat(Texts.unfinished(FILES)).isEmpty();
  }

  @Test
  void everythingUsersSeeIsDescribed() {
    assertThat(ApiDocumentation.gaps(FILES)).isEmpty();
  }

  @Test
  void everyPackageIsDescribedAndNullMarked() {
    assertThat(PackageInfos.missing(FILES)).isEmpty();
  }

  @Test
  void noCodeHidesWhatItShouldShow() {
    assertThat(Habits.bad(FILES)).isEmpty();
  }
}
