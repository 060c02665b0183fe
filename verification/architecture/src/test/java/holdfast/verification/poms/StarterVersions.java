package holdfast.verification.poms;

import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Starters, and the application with several of them, are built and tested with the versions that
 * Spring Boot manages.
 */
final class StarterVersions {

  /** Below a module: its dependencies, also those of its tests, as Maven has resolved them. */
  static final String LISTED = "target/dependencies.txt";

  private static final String STARTER = "-spring-boot-starter";

  /** The module with the application that has several starters. */
  private static final String APPLICATION = "verification/first-hour";

  /** Such as {@code com.h2database:h2:jar:2.4.240:test}, with a classifier before the version. */
  private static final Pattern DEPENDENCY =
      Pattern.compile("^\\s+([\\w.-]+:[\\w.-]+):[\\w-]+(?::[\\w.-]+)?:([\\w.-]+):(?:\\w+)\\b");

  private StarterVersions() {}

  /**
   * One line for each dependency of these modules that has another version than Spring Boot says.
   *
   * @param boot the effective POM of Spring Boot's dependencies
   */
  static List<String> problems(Path root, Reactor reactor, Pom boot) throws IOException {
    Map<String, String> managed =
        boot.managedDependencies()
            .collect(
                toMap(
                    each -> Pom.text(each, "groupId") + ":" + Pom.text(each, "artifactId"),
                    each -> Pom.text(each, "version"),
                    (first, second) -> first));
    List<String> problems = new ArrayList<>();
    for (String module : modules(reactor).toList()) {
      Path listed = root.resolve(module).resolve(LISTED);
      if (Files.exists(listed)) {
        problems.addAll(problems(module, Files.readString(listed), managed));
      } else {
        problems.add(
            "%s: %s is missing; build the module, and list its dependencies in its POM"
                .formatted(module, LISTED));
      }
    }
    return problems;
  }

  private static Stream<String> modules(Reactor reactor) {
    return reactor.modules().stream()
        .filter(
            module -> module.artifactId().endsWith(STARTER) || module.path().equals(APPLICATION))
        .map(Pom::path);
  }

  private static List<String> problems(String module, String listed, Map<String, String> managed) {
    List<String> problems = new ArrayList<>();
    int found = 0;
    for (String line : listed.lines().toList()) {
      Matcher dependency = DEPENDENCY.matcher(line);
      if (dependency.find()) {
        found++;
        String version = managed.getOrDefault(dependency.group(1), dependency.group(2));
        if (!version.equals(dependency.group(2))) {
          problems.add(
              "%s: %s is %s; Spring Boot manages %s"
                  .formatted(module, dependency.group(1), dependency.group(2), version));
        }
      }
    }
    if (found == 0) {
      problems.add("%s: %s lists no dependency".formatted(module, LISTED));
    }
    return problems;
  }
}
