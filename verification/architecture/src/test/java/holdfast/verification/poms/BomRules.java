package holdfast.verification.poms;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/**
 * The BOM names the published modules, all of them and nothing else, in the version of the root.
 */
final class BomRules {

  private static final String GROUP = "io.holdfast";
  private static final String SAME_VERSION = "${project.version}";

  private BomRules() {}

  /** One line for each way in which the BOM differs from the reactor. */
  static List<String> problems(Reactor reactor) {
    Pom bom = reactor.bom();
    List<String> named = bom.managedDependencies().map(BomRules::artifactId).toList();
    List<String> libraries = reactor.libraries();
    List<String> problems = new ArrayList<>();
    libraries.stream()
        .filter(library -> !named.contains(library))
        .map("the BOM does not name %s"::formatted)
        .forEach(problems::add);
    named.stream()
        .filter(name -> !libraries.contains(name))
        .map("the BOM names %s, which is no library module"::formatted)
        .forEach(problems::add);
    bom.managedDependencies().flatMap(BomRules::wrongCoordinates).forEach(problems::add);
    if (!bom.version().equals(reactor.root().version())) {
      problems.add(
          "the BOM has version %s, the root has %s"
              .formatted(bom.version(), reactor.root().version()));
    }
    return problems;
  }

  private static Stream<String> wrongCoordinates(Element entry) {
    String group = Pom.text(entry, "groupId");
    String version = Pom.text(entry, "version");
    return group.equals(GROUP) && version.equals(SAME_VERSION)
        ? Stream.empty()
        : Stream.of(
            "the BOM names %s as %s in version %s; it must be %s in version %s"
                .formatted(artifactId(entry), group, version, GROUP, SAME_VERSION));
  }

  private static String artifactId(Element entry) {
    return Pom.text(entry, "artifactId");
  }
}
