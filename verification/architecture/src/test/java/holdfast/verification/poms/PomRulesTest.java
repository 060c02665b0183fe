package holdfast.verification.poms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule about POMs is shown a build with one fault, which it must name. */
class PomRulesTest {

  private static final String CORE = "outbox/outbox-core";

  @TempDir Path root;

  private final Poms poms = new Poms();

  @Test
  void aBuildWithoutFaultIsFine() throws IOException {
    Reactor reactor = poms.writeTo(root);

    assertThat(BomRules.problems(reactor)).isEmpty();
    assertThat(PinRules.problems(reactor)).isEmpty();
    assertThat(VerificationRules.unseen(reactor)).isEmpty();
    assertThat(VerificationRules.unlisted(root, reactor)).isEmpty();
  }

  @Test
  void aPomThatIsNotXmlIsNamed() {
    assertThatThrownBy(() -> Pom.parse("outbox", "<project>"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("outbox");
  }

  @Nested
  class Bom {

    @Test
    void aForgottenLibraryIsNamed() {
      poms.replacing("", "<modules>", "<modules><module>outbox/outbox-jdbc</module>")
          .with("outbox/outbox-jdbc", "<artifactId>outbox-jdbc</artifactId>");

      assertThat(BomRules.problems(poms.writeTo(root)))
          .containsExactly("the BOM does not name outbox-jdbc");
    }

    @Test
    void anArtifactThatIsNoLibraryIsNamed() {
      poms.replacing(
          "bom",
          "<dependencies>",
          """
          <dependencies><dependency>
            <groupId>io.holdfast</groupId>
            <artifactId>holdfast-coverage</artifactId>
            <version>${project.version}</version>
          </dependency>
          """);

      assertThat(BomRules.problems(poms.writeTo(root)))
          .containsExactly("the BOM names holdfast-coverage, which is no library module");
    }

    @Test
    void aFixedVersionIsNamed() {
      poms.replacing("bom", "${project.version}", "0.9");

      assertThat(BomRules.problems(poms.writeTo(root)))
          .singleElement()
          .asString()
          .contains("outbox-core", "0.9");
    }

    @Test
    void aForeignGroupIsNamed() {
      poms.replacing("bom", "io.holdfast", "org.example");

      assertThat(BomRules.problems(poms.writeTo(root)))
          .singleElement()
          .asString()
          .contains("outbox-core", "org.example");
    }

    @Test
    void aVersionOfItsOwnIsNamed() {
      poms.replacing("bom", "<version>1</version>", "<version>2</version>");

      assertThat(BomRules.problems(poms.writeTo(root)))
          .containsExactly("the BOM has version 2, the root has 1");
    }
  }

  @Nested
  class Pins {

    @ParameterizedTest
    @ValueSource(strings = {"", CORE})
    void aPluginWithoutVersionInTheRootIsNamed(String path) {
      poms.replacing(
          path,
          "</build>",
          """
            <plugins><plugin>
              <groupId>org.example</groupId><artifactId>new-plugin</artifactId>
            </plugin></plugins>
          </build>
          """);

      assertThat(PinRules.problems(poms.writeTo(root)))
          .containsExactly(path + ": org.example:new-plugin has no version in the root");
    }

    @Test
    void aManagedPluginWithoutVersionIsNamed() {
      poms.replacing(
          "",
          "</plugins>",
          "<plugin><artifactId>maven-site-plugin</artifactId></plugin></plugins>");

      assertThat(PinRules.problems(poms.writeTo(root)))
          .singleElement()
          .asString()
          .contains("maven-site-plugin");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "<dependencies><dependency>%s</dependency></dependencies>",
          "<profiles><profile><dependencies><dependency>%s</dependency></dependencies></profile></profiles>",
          "<build><extensions><extension>%s</extension></extensions></build>",
          "<build><plugins><plugin><configuration><annotationProcessorPaths><path>%s</path>"
              + "</annotationProcessorPaths></configuration></plugin></plugins></build>",
        })
    void aVersionInAModuleIsNamed(String place) {
      String thing = "<artifactId>thing</artifactId><version>1</version>";
      poms.with(CORE, "<artifactId>outbox-core</artifactId>" + place.formatted(thing));

      assertThat(PinRules.problems(poms.writeTo(root)))
          .contains(CORE + ": writes a version of thing; it belongs into the root");
    }

    @Test
    void aPluginVersionInAModuleIsNamed() {
      poms.replacing(CORE, "</plugin>", "<version>3.5.0</version></plugin>");

      assertThat(PinRules.problems(poms.writeTo(root)))
          .containsExactly(
              CORE + ": writes a version of maven-jar-plugin; it belongs into the root");
    }

    @Test
    void aPinOfTheBomThatDiffersIsNamed() {
      poms.replacing("bom", "3.5.0", "3.4.0");

      assertThat(PinRules.problems(poms.writeTo(root)))
          .containsExactly(
              "bom: pins org.apache.maven.plugins:maven-jar-plugin to 3.4.0, the root to 3.5.0");
    }
  }

  @Nested
  class Watchers {

    @ParameterizedTest
    @ValueSource(strings = {"verification/architecture", "verification/coverage"})
    void aLibraryThatIsNotWatchedIsNamed(String watcher) {
      poms.with(watcher, "<artifactId>watcher</artifactId>");

      assertThat(VerificationRules.unseen(poms.writeTo(root)))
          .containsExactly(watcher + ": does not depend on outbox-core");
    }

    @Test
    void aWatcherThatIsNotInTheBuildSeesNothing() {
      poms.replacing("", "<module>verification/coverage</module>", "");

      assertThat(VerificationRules.unseen(poms.writeTo(root)))
          .containsExactly("verification/coverage: does not depend on outbox-core");
    }

    @Test
    void aLibraryThatIsNotListedIsNamed() throws IOException {
      Reactor reactor = poms.writeTo(root);
      Path forgotten = Files.createDirectories(root.resolve("tracer/tracer-core"));
      Files.writeString(forgotten.resolve("pom.xml"), "<project/>");

      assertThat(VerificationRules.unlisted(root, reactor))
          .containsExactly("tracer/tracer-core: has a POM but is not listed in the root");
    }
  }
}
