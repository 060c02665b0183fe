package holdfast.verification.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PackageInfosTest {

  private static final String FOLDER = "outbox/outbox-core/src/main/java/outbox";
  private static final SourceFile CLASS = new SourceFile(FOLDER + "/A.java", "class A {}");

  @Test
  void aFolderWithoutPackageInfoIsNamed() {
    assertThat(PackageInfos.missing(List.of(CLASS)))
        .containsExactly(FOLDER + ": has no package-info.java");
  }

  @Test
  void aPackageInfoWithoutNullMarkedIsNamed() {
    assertThat(PackageInfos.missing(List.of(CLASS, packageInfo("/** Outbox. */ package outbox;"))))
        .containsExactly(FOLDER + "/package-info.java: has no @NullMarked");
  }

  @Test
  void aPackageInfoWithoutJavadocIsNamed() {
    assertThat(PackageInfos.missing(List.of(CLASS, packageInfo("@NullMarked package outbox;"))))
        .containsExactly(FOLDER + "/package-info.java: has no Javadoc");
  }

  @Test
  void aPackageInfoWithBothIsFine() {
    assertThat(
            PackageInfos.missing(
                List.of(CLASS, packageInfo("/** Outbox. */ @NullMarked package outbox;"))))
        .isEmpty();
  }

  @Test
  void aModuleInfoNeedsNoPackageAndTestsNeedNoPackageInfo() {
    assertThat(
            PackageInfos.missing(
                List.of(
                    new SourceFile("outbox/src/main/java/module-info.java", "module outbox {}"),
                    new SourceFile("outbox/src/test/java/outbox/ATest.java", "class ATest {}"))))
        .isEmpty();
  }

  private static SourceFile packageInfo(String text) {
    return new SourceFile(FOLDER + "/package-info.java", text);
  }
}
