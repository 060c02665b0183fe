package eventbus.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import eventbus.EventBusBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** What editors show of {@code eventbus.*}: a sentence for each, and the default that is used. */
class MetadataTest {

  private static final Pattern ITEM =
      Pattern.compile("\\{[^{}]*\"name\": \"(eventbus\\.[^\"]+)\"[^{}]*}");
  private static final Pattern DEFAULT = Pattern.compile("\"defaultValue\": \"?([^\",\\n]+)\"?");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  private static final List<String> WITHOUT_DEFAULT =
      List.of(
          "eventbus.concurrency",
          "eventbus.failed-retention",
          "eventbus.heartbeat",
          "eventbus.name",
          "eventbus.retention");

  private static Map<String, String> items() throws IOException {
    try (InputStream file =
        MetadataTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      Map<String, String> items = new TreeMap<>();
      Matcher item = ITEM.matcher(text);
      while (item.find()) {
        if (item.group().contains("sourceType") && !item.group().contains("sourceMethod")) {
          items.put(item.group(1), item.group());
        }
      }
      return items;
    }
  }

  private static void read(BeanWrapper bean, String prefix, Map<String, Object> values) {
    for (var property : bean.getPropertyDescriptors()) {
      if (property.getWriteMethod() != null) {
        String name =
            property.getName().replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
        values.put(prefix + name, bean.getPropertyValue(property.getName()));
      }
    }
  }

  private static Map<String, Object> values(EventBusProperties properties) {
    Map<String, Object> values = new TreeMap<>();
    read(new BeanWrapperImpl(properties), "eventbus.", values);
    values.put("eventbus.concurrency", properties.getConcurrency());
    read(new BeanWrapperImpl(properties.getRetry()), "eventbus.retry.", values);
    read(new BeanWrapperImpl(properties.getHealth()), "eventbus.health.", values);
    read(new BeanWrapperImpl(properties.getMetrics()), "eventbus.metrics.", values);
    return values;
  }

  @Test
  void everyPropertyHasASentence() throws IOException {
    assertThat(items().keySet()).isEqualTo(values(new EventBusProperties()).keySet());
    assertThat(items().values()).allSatisfy(item -> assertThat(item).contains("\"description\": "));
  }

  /** The table of settings on the bus's page has every property beside its builder's method. */
  @Test
  void thePageNamesEveryPropertyAndMethodAsItIs() throws IOException {
    String page = Files.readString(Path.of("../../docs/eventbus.md"));
    int start = page.indexOf("## Settings");
    List<String> rows =
        page.substring(start, page.indexOf("\n## ", start))
            .lines()
            .filter(line -> line.startsWith("|"))
            .skip(2)
            .toList();
    List<String> methods =
        Stream.concat(
                Stream.of(EventBusBuilder.class.getMethods()).map(Method::getName),
                Stream.of("start()"))
            .toList();

    assertThat(rows.stream().flatMap(row -> quoted(row, 2)))
        .containsExactlyInAnyOrderElementsOf(items().keySet());
    assertThat(rows.stream().flatMap(row -> quoted(row, 1))).isNotEmpty().isSubsetOf(methods);
  }

  private static Stream<String> quoted(String row, int cell) {
    return QUOTED.matcher(row.split("\\|")[cell]).results().map(found -> found.group(1));
  }

  /** A property that no test sets in a whole application could change nothing without notice. */
  @Test
  void everyPropertyIsTriedInAnApplication() throws IOException {
    StringBuilder tests = new StringBuilder();
    try (Stream<Path> files = Files.list(Path.of("src/test/java/eventbus/spring/boot"))) {
      for (Path file : files.sorted().toList()) {
        tests.append(Files.readString(file));
      }
    }

    assertThat(items().keySet())
        .allSatisfy(
            name ->
                assertThat(tests.toString())
                    .as(name)
                    .containsPattern("\"" + Pattern.quote(name) + "(\\.\\w+)?="));
  }

  @Test
  void theDefaultsShownAreThoseUsed() throws IOException {
    Map<String, String> shown = new TreeMap<>();
    List<String> without = new ArrayList<>();
    items()
        .forEach(
            (name, item) -> {
              Matcher value = DEFAULT.matcher(item);
              if (value.find()) {
                shown.put(name, value.group(1));
              } else {
                without.add(name);
              }
            });
    EventBusProperties bound =
        new Binder(new MapConfigurationPropertySource(shown))
            .bind("eventbus", EventBusProperties.class)
            .get();

    assertThat(values(bound)).isEqualTo(values(new EventBusProperties()));
    assertThat(without).isEqualTo(WITHOUT_DEFAULT);
  }
}
