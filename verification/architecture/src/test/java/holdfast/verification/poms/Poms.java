package holdfast.verification.poms;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The POMs of a small build without fault, to which a test adds one. */
final class Poms {

  private final Map<String, String> bodies = new LinkedHashMap<>();

  Poms() {
    with(
        "",
        """
        <artifactId>holdfast-parent</artifactId><version>1</version>
        <modules>
          <module>bom</module>
          <module>outbox/outbox-core</module>
          <module>verification/architecture</module>
          <module>verification/coverage</module>
        </modules>
        <build><pluginManagement><plugins>
          <plugin><artifactId>maven-jar-plugin</artifactId><version>3.5.0</version></plugin>
        </plugins></pluginManagement></build>
        """);
    with(
        "bom",
        """
        <artifactId>holdfast-bom</artifactId><version>1</version>
        <dependencyManagement><dependencies><dependency>
          <groupId>io.holdfast</groupId>
          <artifactId>outbox-core</artifactId>
          <version>${project.version}</version>
        </dependency></dependencies></dependencyManagement>
        <build><pluginManagement><plugins>
          <plugin><artifactId>maven-jar-plugin</artifactId><version>3.5.0</version></plugin>
        </plugins></pluginManagement></build>
        """);
    with(
        "outbox/outbox-core",
        """
        <parent><artifactId>holdfast-parent</artifactId><version>1</version></parent>
        <artifactId>outbox-core</artifactId>
        <build><plugins>
          <plugin><artifactId>maven-jar-plugin</artifactId></plugin>
        </plugins></build>
        """);
    String watcher =
        """
        <artifactId>watcher</artifactId>
        <dependencies><dependency>
          <groupId>io.holdfast</groupId><artifactId>outbox-core</artifactId>
        </dependency></dependencies>
        """;
    with("verification/architecture", watcher);
    with("verification/coverage", watcher);
  }

  Poms with(String path, String body) {
    bodies.put(path, body);
    return this;
  }

  Poms replacing(String path, String before, String after) {
    String body = bodies.get(path);
    if (!body.contains(before)) {
      throw new IllegalArgumentException("the POM must contain '%s': %s".formatted(before, body));
    }
    return with(path, body.replace(before, after));
  }

  Reactor writeTo(Path root) {
    try {
      for (Map.Entry<String, String> pom : bodies.entrySet()) {
        Path folder = Files.createDirectories(root.resolve(pom.getKey()));
        Files.writeString(
            folder.resolve("pom.xml"), "<project>%s</project>".formatted(pom.getValue()));
      }
      return Reactor.read(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
