package holdfast.verification.poms;

import holdfast.verification.sources.Repository;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The POMs of one build.
 *
 * @param root the one that lists the modules and pins all versions
 * @param modules the listed ones, in that order
 */
record Reactor(Pom root, List<Pom> modules) {

  private static final String BOM = "bom";

  static Reactor read(Path folder) throws IOException {
    Pom root = Pom.read(folder, "");
    List<Pom> modules = new ArrayList<>();
    for (String path : root.modules()) {
      modules.add(Pom.read(folder, path));
    }
    return new Reactor(root, modules);
  }

  Optional<Pom> module(String path) {
    return modules.stream().filter(module -> module.path().equals(path)).findFirst();
  }

  Pom bom() {
    return module(BOM).orElseThrow(() -> new IllegalStateException("the root must list " + BOM));
  }

  /** The modules whose versions are pinned by the root: all but the BOM, which has no parent. */
  Stream<Pom> modulesBelowTheRoot() {
    return modules.stream().filter(module -> !module.path().equals(BOM));
  }

  /** The artifacts of the modules that are published for use, in the order of the root. */
  List<String> libraries() {
    return modules.stream()
        .filter(module -> Repository.LIBRARY_FOLDERS.contains(module.path().split("/", 2)[0]))
        .map(Pom::artifactId)
        .toList();
  }
}
