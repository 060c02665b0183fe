package holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** A property that nobody knows is named with the nearest one that is known. */
class UnknownPropertiesTest {
  private static final String SHOP =
      """
      {"groups": [{"name": "shop", "type": "shop.ShopProperties"}],
       "properties": [
         {"name": "shop.workers", "type": "java.lang.Integer", "defaultValue": 4},
         {"name": "shop.types", "type": "java.util.List<java.lang.String>"},
         {"name": "shop.poll-interval", "type": "java.time.Duration"},
         {"name": "shop.limits", "type": "java.util.Map<java.lang.String,java.lang.Integer>"}],
       "hints": []}
      """;
  private static final String OTHER_MODULE =
      """
      {"properties": [{"name": "shop.extra.enabled", "type": "java.lang.Boolean"}]}
      """;

  @TempDir Path directory;

  private List<String> warnings(Map<String, Object> set) throws IOException {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", set));
    URL[] jars = {jar("shop", SHOP), jar("module", OTHER_MODULE)};
    try (URLClassLoader classes = new URLClassLoader(jars, null)) {
      return new UnknownProperties("shop", environment, classes).warnings();
    }
  }

  private URL jar(String name, String metadata) throws IOException {
    Path folder = Files.createDirectories(directory.resolve(name).resolve("META-INF"));
    Files.writeString(folder.resolve("spring-configuration-metadata.json"), metadata);
    return directory.resolve(name).toUri().toURL();
  }

  @Test
  void aMistypedPropertyIsNamedWithTheNearestKnownOne() throws IOException {
    assertThat(warnings(Map.of("shop.worker", 8, "shop.workers", 4, "other.worker", 1)))
        .containsExactly(
            "property 'shop.worker' is set, but no library knows it, so it has no effect; the"
                + " nearest known one is 'shop.workers': correct the name, or remove it");
  }

  @Test
  void elementsOfListsAndMapsAreKnownAndSoIsAnotherSpelling() throws IOException {
    assertThat(
            warnings(Map.of("shop.types[0]", "A", "shop.limits.OrderPlaced", 2, "shop.WORKERS", 4)))
        .isEmpty();
    assertThat(warnings(Map.of("shop.pollInterval", "1s"))).isEmpty();
    assertThat(warnings(Map.of("shop.poll_interval", "1s"))).isEmpty();
    assertThat(warnings(Map.of("shop.POLLINTERVAL", "1s"))).isEmpty();
  }

  @Test
  void anotherModuleMakesItsOwnPropertiesKnown() throws IOException {
    assertThat(warnings(Map.of("shop.extra.enabled", true))).isEmpty();
    assertThat(warnings(Map.of("shop.extra.enable", true)))
        .singleElement()
        .asString()
        .contains("'shop.extra.enabled'");
  }
}
