package holdfast.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each rule about packages is shown a wrong package, which it must name, and a right one. */
class PackagesTest {

  private static final Sources UNMARKED =
      Sources.of("outbox/spi/A.java", "package outbox.spi; class A {}");

  @Test
  void aClassInAPackageOfAnUnknownNameIsNamed() {
    assertThat(
            Sources.of("outboxes/A.java", "package outboxes; class A {}")
                .breaking(Packages.CLASSES_LIVE_IN_THE_HOUSE))
        .singleElement()
        .asString()
        .contains("outboxes.A");
    assertThat(UNMARKED.breaking(Packages.CLASSES_LIVE_IN_THE_HOUSE)).isEmpty();
  }

  @Test
  void aPackageWithoutPackageInfoIsNamed() {
    assertThat(UNMARKED.breaking(Packages.PACKAGES_ARE_NULL_MARKED))
        .singleElement()
        .asString()
        .contains("outbox.spi.A");
  }

  @Test
  void aPackageInfoWithoutNullMarkedIsNotEnough() {
    assertThat(
            UNMARKED
                .and("outbox/spi/package-info.java", "@Deprecated package outbox.spi;")
                .breaking(Packages.PACKAGES_ARE_NULL_MARKED))
        .anySatisfy(line -> assertThat(line).contains("outbox.spi.A"));
  }

  @Test
  void theMarkOfTheRoomDoesNotCoverThePackagesBelow() {
    assertThat(
            UNMARKED
                .and(
                    "outbox/package-info.java",
                    "@org.jspecify.annotations.NullMarked package outbox;")
                .breaking(Packages.PACKAGES_ARE_NULL_MARKED))
        .singleElement()
        .asString()
        .contains("outbox.spi.A");
  }

  @Test
  void aNullMarkedPackageIsFine() {
    assertThat(
            UNMARKED
                .and(
                    "outbox/spi/package-info.java",
                    "@org.jspecify.annotations.NullMarked package outbox.spi;")
                .breaking(Packages.PACKAGES_ARE_NULL_MARKED))
        .isEmpty();
  }

  @Test
  void aPackageInTwoModulesIsNamed(@TempDir Path first, @TempDir Path second) {
    UNMARKED.compileInto(first);
    Sources.of("outbox/spi/B.java", "package outbox.spi; class B { class Inner {} }")
        .compileInto(second);

    assertThat(splitPackages(first, second))
        .anySatisfy(line -> assertThat(line).contains("outbox.spi.A", first.toString()))
        .anySatisfy(line -> assertThat(line).contains("outbox.spi.B", second.toString()));
  }

  @Test
  void aPackageBelowOneOfAnotherModuleIsFine(@TempDir Path first, @TempDir Path second) {
    UNMARKED.compileInto(first);
    Sources.of("outbox/spi/more/B.java", "package outbox.spi.more; class B { class Inner {} }")
        .compileInto(second);

    assertThat(splitPackages(first, second)).isEmpty();
  }

  private static List<String> splitPackages(Path... modules) {
    JavaClasses classes = new ClassFileImporter().importPaths(modules);
    return Packages.PACKAGES_LIVE_IN_ONE_MODULE.evaluate(classes).getFailureReport().getDetails();
  }
}
