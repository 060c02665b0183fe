package holdfast.verification.poms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
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

  @Nested
  class Starters {

    private static final String STARTER = "outbox/outbox-spring-boot-starter";
    private static final String APPLICATION = "verification/first-hour";

    @BeforeEach
    void addAStarter() {
      poms.replacing("", "<modules>", "<modules><module>" + STARTER + "</module>")
          .with(STARTER, "<artifactId>outbox-spring-boot-starter</artifactId>");
    }

    @Test
    void anotherVersionThanSpringBootsIsNamed() throws IOException {
      assertThat(
              problems(
                  """
                  The following files have been resolved:
                     com.h2database:h2:jar:2.5.252:test -- module com.h2database
                     org.slf4j:slf4j-api:jar:2.0.18:compile
                     org.example:native:jar:linux:9:runtime
                     org.example:unmanaged:jar:1:compile
                  """))
          .containsExactlyInAnyOrder(
              STARTER + ": com.h2database:h2 is 2.5.252; Spring Boot manages 2.4.240",
              STARTER + ": org.example:native is 9; Spring Boot manages 8");
    }

    @Test
    void aStarterWhoseDependenciesAreUnknownIsNamed() throws IOException {
      assertThat(problems("")).singleElement().asString().contains(STARTER, "no dependency");
      Files.delete(root.resolve(STARTER).resolve(StarterVersions.LISTED));
      assertThat(StarterVersions.problems(root, Reactor.read(root), boot()))
          .singleElement()
          .asString()
          .contains(STARTER, "is missing");
    }

    @Test
    void theApplicationWithSeveralStartersIsCheckedToo() throws IOException {
      poms.replacing("", "<module>" + STARTER + "</module>", "<module>" + APPLICATION + "</module>")
          .with(APPLICATION, "<artifactId>holdfast-first-hour</artifactId>");

      assertThat(problems(APPLICATION, "   com.h2database:h2:jar:2.5.252:test\n"))
          .containsExactly(
              APPLICATION + ": com.h2database:h2 is 2.5.252; Spring Boot manages 2.4.240");
    }

    private List<String> problems(String listed) throws IOException {
      return problems(STARTER, listed);
    }

    private List<String> problems(String module, String listed) throws IOException {
      Reactor reactor = poms.writeTo(root);
      Path list = root.resolve(module).resolve(StarterVersions.LISTED);
      Files.createDirectories(list.getParent());
      Files.writeString(list, listed);
      return StarterVersions.problems(root, reactor, boot());
    }

    private static Pom boot() throws IOException {
      String managed =
          Stream.of(
                  "com.h2database:h2:2.4.240", "org.slf4j:slf4j-api:2.0.18", "org.example:native:8")
              .map(each -> each.split(":"))
              .map(
                  each ->
                      "<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>"
                          .formatted((Object[]) each))
              .collect(Collectors.joining());
      return Pom.parse(
          "boot",
          "<project><dependencyManagement><dependencies>%s</dependencies></dependencyManagement></project>"
              .formatted(managed));
    }
  }
}
