package holdfast.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.lang.ArchRule;
import holdfast.verification.sources.Repository;
import holdfast.verification.sources.SourceFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every rule, held against the main code of every library module. */
class ArchitectureTest {

  static Stream<ArchRule> rules() {
    return Rules.all();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void theMainCodeKeepsTheRule(ArchRule rule) {
    rule.check(MainCode.imported());
  }

  @Test
  void theRulesSeeEveryMainSourceFileOfTheLibraries() {
    assertThat(Repository.here().sourceFiles())
        .filteredOn(file -> file.isLibrary() && file.isMain() && file.isJava())
        .extracting(SourceFile::className)
        .filteredOn(name -> !name.equals("module-info"))
        .isNotEmpty()
        .allSatisfy(name -> assertThat(MainCode.imported().contain(name)).as(name).isTrue());
  }
}
