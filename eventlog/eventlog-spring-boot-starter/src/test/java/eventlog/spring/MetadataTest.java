package eventlog.spring;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.AsyncEventLoggerBuilder;
import eventlog.HttpEventLogClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

/** What editors show of {@code eventlog.*}: a sentence for each, and the default that is used. */
class MetadataTest {
  private static final Pattern ITEM =
      Pattern.compile("\\{[^{}]*\"name\": \"(eventlog\\.[^\"]+)\"[^{}]*}");
  private static final Pattern DEFAULT = Pattern.compile("\"defaultValue\": \"?([^\",\\n]+)\"?");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  private static final List<String> WITHOUT_DEFAULT =
      List.of(
          "eventlog.api-key",
          "eventlog.application-id",
          "eventlog.async.spillover-path",
          "eventlog.base-url",
          "eventlog.bearer-token",
          "eventlog.originating-system",
          "eventlog.redaction.fields",
          "eventlog.target-system");

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
        String name = property.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        values.put(prefix + name, bean.getPropertyValue(property.getName()));
      }
    }
  }

  private static Map<String, Object> values(EventLogProperties properties) {
    Map<String, Object> values = new TreeMap<>();
    read(new BeanWrapperImpl(properties), "eventlog.", values);
    read(new BeanWrapperImpl(properties.getAsync()), "eventlog.async.", values);
    read(new BeanWrapperImpl(properties.getMetrics()), "eventlog.metrics.", values);
    read(new BeanWrapperImpl(properties.getHealth()), "eventlog.health.", values);
    read(new BeanWrapperImpl(properties.getMdc()), "eventlog.mdc.", values);
    read(new BeanWrapperImpl(properties.getRedaction()), "eventlog.redaction.", values);
    return values;
  }

  @Test
  void everyPropertyHasASentence() throws IOException {
    assertThat(items().keySet()).isEqualTo(values(new EventLogProperties()).keySet());
    assertThat(items().values()).allSatisfy(item -> assertThat(item).contains("\"description\": "));
  }

  /** The keys that applications have in their files already; a new name would break them. */
  @Test
  void theKeysOfTheDocumentAreThere() throws IOException {
    assertThat(items().keySet())
        .contains(
            "eventlog.async.spillover-path",
            "eventlog.async.replay-interval-ms",
            "eventlog.async.max-spillover-events",
            "eventlog.async.max-spillover-size-mb",
            "eventlog.metrics.enabled");
    EventLogProperties defaults = new EventLogProperties();
    assertThat(defaults.getAsync().getSpilloverPath()).isNull();
    assertThat(defaults.getAsync().getReplayIntervalMs()).isEqualTo(10_000);
    assertThat(defaults.getAsync().getMaxSpilloverEvents()).isEqualTo(10_000);
    assertThat(defaults.getAsync().getMaxSpilloverSizeMb()).isEqualTo(50);
    assertThat(defaults.getMetrics().isEnabled()).isTrue();
  }

  /** The table of settings on the event log's page has every property and builder's method. */
  @Test
  void thePageNamesEveryPropertyAndMethodAsItIs() throws IOException {
    String page = Files.readString(Path.of("../../docs/eventlog.md"));
    int start = page.indexOf("## Settings");
    List<String> rows =
        page.substring(start, page.indexOf("\n## ", start + 1))
            .lines()
            .filter(line -> line.startsWith("| `") || line.startsWith("| | `"))
            .toList();
    List<String> methods =
        Stream.of(AsyncEventLoggerBuilder.class, HttpEventLogClientBuilder.class)
            .flatMap(type -> Stream.of(type.getMethods()))
            .map(Method::getName)
            .toList();

    assertThat(rows.stream().flatMap(row -> quoted(row, 2)))
        .containsExactlyInAnyOrderElementsOf(items().keySet());
    assertThat(rows.stream().flatMap(row -> quoted(row, 1))).isNotEmpty().isSubsetOf(methods);
  }

  private static Stream<String> quoted(String row, int cell) {
    return QUOTED.matcher(row.split("\\|", -1)[cell]).results().map(found -> found.group(1));
  }

  /** A property that no test sets in a whole application could change nothing without notice. */
  @Test
  void everyPropertyIsTriedInAnApplication() throws IOException {
    StringBuilder tests = new StringBuilder();
    try (Stream<Path> files = Files.list(Path.of("src/test/java/eventlog/spring"))) {
      for (Path file : files.sorted().toList()) {
        tests.append(Files.readString(file));
      }
    }

    assertThat(items().keySet())
        .allSatisfy(name -> assertThat(tests.indexOf("\"" + name + "=")).as(name).isPositive());
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

    assertThat(without).containsExactlyElementsOf(WITHOUT_DEFAULT);
    EventLogProperties bound =
        new Binder(new MapConfigurationPropertySource(shown))
            .bind("eventlog", EventLogProperties.class)
            .get();
    assertThat(values(bound)).isEqualTo(values(new EventLogProperties()));
  }
}
