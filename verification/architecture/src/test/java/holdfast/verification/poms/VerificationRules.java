package holdfast.verification.poms;

import holdfast.verification.sources.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** No library module is forgotten, neither by the build nor by those who look at all of them. */
final class VerificationRules {

  private static final List<String> WATCHERS =
      List.of("verification/architecture", "verification/coverage");

  private VerificationRules() {}

  /** One line for each library that a module which must see all of them does not depend on. */
  static List<String> unseen(Reactor reactor) {
    return WATCHERS.stream().flatMap(watcher -> unseen(reactor, watcher)).toList();
  }

  private static Stream<String> unseen(Reactor reactor, String watcher) {
    List<String> seen = reactor.module(watcher).map(Pom::dependencies).orElse(List.of());
    return reactor.libraries().stream()
        .filter(library -> !seen.contains(library))
        .map(library -> "%s: does not depend on %s".formatted(watcher, library));
  }

  /** One line for each module that has a POM among the libraries and is not listed in the root. */
  static List<String> unlisted(Path root, Reactor reactor) throws IOException {
    List<String> listed = reactor.root().modules();
    try (Stream<Path> paths = Files.find(root, 3, (path, about) -> path.endsWith("pom.xml"))) {
      return paths
          .map(pom -> root.relativize(pom.getParent()))
          .filter(folder -> Repository.LIBRARY_FOLDERS.contains(folder.getName(0).toString()))
          .map(Path::toString)
          .filter(folder -> !listed.contains(folder))
          .map("%s: has a POM but is not listed in the root"::formatted)
          .sorted()
          .toList();
    }
  }
}
