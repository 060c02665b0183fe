package holdfast.verification.poms;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.verification.sources.Repository;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is asked of the POMs, asked of this repository. */
class ReactorTest {

  private static final Path ROOT = Repository.here().root();

  private static Reactor reactor;

  @BeforeAll
  static void readAllPoms() throws IOException {
    reactor = Reactor.read(ROOT);
  }

  @Test
  void theLibrariesWereFound() {
    assertThat(reactor.libraries()).contains("holdfast-core", "holdfast-jdbc", "holdfast-testkit");
  }

  @Test
  void theBomNamesTheLibrariesAndNothingElse() {
    assertThat(BomRules.problems(reactor)).isEmpty();
  }

  @Test
  void versionsArePinnedInTheRootAndNowhereElse() {
    assertThat(PinRules.problems(reactor)).isEmpty();
  }

  @Test
  void everyLibraryIsSeenByThoseWhoLookAtAllOfThem() {
    assertThat(VerificationRules.unseen(reactor)).isEmpty();
  }

  @Test
  void everyLibraryIsPartOfTheBuild() throws IOException {
    assertThat(VerificationRules.unlisted(ROOT, reactor)).isEmpty();
  }

  @Test
  void storesAndTheirExamplesAreAlsoTestedOnTheNewestH2() {
    assertThat(
            reactor.modules().stream()
                .filter(
                    module ->
                        module
                            .everywhere("newest-h2.skip")
                            .anyMatch(skip -> skip.getTextContent().equals("false")))
                .map(Pom::path))
        .containsExactlyInAnyOrder(
            "outbox/outbox-jdbc",
            "eventbus/eventbus-core",
            "failover/failover-jdbc",
            "examples/outbox-demo",
            "examples/outbox-spring-demo",
            "examples/tour");
  }

  @Test
  void startersAreTestedWithTheVersionsThatSpringBootManages() throws IOException {
    Pom boot = Pom.read(ROOT, "verification/architecture/target/spring-boot");

    assertThat(StarterVersions.problems(ROOT, reactor, boot)).isEmpty();
  }
}
