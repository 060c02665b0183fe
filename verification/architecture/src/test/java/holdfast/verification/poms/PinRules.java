package holdfast.verification.poms;

import static java.util.stream.Collectors.toMap;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/** Versions are pinned in the root, every one of them, and nowhere else. */
final class PinRules {

  /** The elements whose version is the version of something taken from outside. */
  private static final Set<String> PINNED =
      Set.of("dependency", "plugin", "path", "annotationProcessorPath", "extension");

  private PinRules() {}

  /** One line for each version that is missing in the root or written elsewhere. */
  static List<String> problems(Reactor reactor) {
    Map<String, String> pins =
        reactor
            .root()
            .managedPlugins()
            .collect(
                toMap(
                    PinRules::key,
                    plugin -> Pom.text(plugin, "version"),
                    (first, second) -> first));
    return Stream.of(
            Stream.concat(Stream.of(reactor.root()), reactor.modules().stream())
                .flatMap(pom -> unpinnedPlugins(pom, pins)),
            reactor.modulesBelowTheRoot().flatMap(PinRules::ownVersions),
            otherPins(reactor.bom(), pins))
        .flatMap(problems -> problems)
        .toList();
  }

  private static Stream<String> unpinnedPlugins(Pom pom, Map<String, String> pins) {
    return pom.plugins()
        .map(PinRules::key)
        .distinct()
        .filter(plugin -> pins.getOrDefault(plugin, "").isEmpty())
        .map(plugin -> "%s: %s has no version in the root".formatted(pom.path(), plugin));
  }

  private static Stream<String> ownVersions(Pom module) {
    return module
        .everywhere("version")
        .filter(version -> PINNED.contains(Pom.parentName(version)))
        .map(version -> Pom.text((Element) version.getParentNode(), "artifactId"))
        .map(
            artifact ->
                "%s: writes a version of %s; it belongs into the root"
                    .formatted(module.path(), artifact));
  }

  /** The BOM has no parent to inherit pins from, so it repeats them. */
  private static Stream<String> otherPins(Pom bom, Map<String, String> pins) {
    return bom.plugins()
        .filter(plugin -> !Pom.text(plugin, "version").equals(pins.get(key(plugin))))
        .map(
            plugin ->
                "%s: pins %s to %s, the root to %s"
                    .formatted(
                        bom.path(),
                        key(plugin),
                        Pom.text(plugin, "version"),
                        pins.get(key(plugin))));
  }

  private static String key(Element plugin) {
    String group = Pom.text(plugin, "groupId");
    return (group.isEmpty() ? "org.apache.maven.plugins" : group)
        + ":"
        + Pom.text(plugin, "artifactId");
  }
}
