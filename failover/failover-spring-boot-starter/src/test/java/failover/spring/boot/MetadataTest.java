package failover.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.beans.PropertyDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
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

/** What editors show of {@code failover.*}: a sentence for each, and the default that is used. */
class MetadataTest {
  private static final Pattern ITEM =
      Pattern.compile("\\{[^{}]*\"name\": \"(failover\\.[^\"]+)\"[^{}]*}");
  private static final Pattern DEFAULT = Pattern.compile("\"defaultValue\": \"?([^\",\\n]+)\"?");

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

  private static Map<String, Object> values(FailoverProperties properties) {
    Map<String, Object> values = new TreeMap<>();
    read(properties, "failover.", values);
    return values;
  }

  private static void read(Object bean, String prefix, Map<String, Object> values) {
    BeanWrapper wrapped = new BeanWrapperImpl(bean);
    for (PropertyDescriptor property : wrapped.getPropertyDescriptors()) {
      if (property.getName().equals("class")) {
        continue;
      }
      String name = property.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      Object value = wrapped.getPropertyValue(property.getName());
      if (property.getWriteMethod() != null || value instanceof Collection<?>) {
        values.put(prefix + name, value);
      } else {
        read(value, prefix + name + ".", values);
      }
    }
  }

  @Test
  void everyPropertyHasASentence() throws IOException {
    assertThat(items().keySet()).isEqualTo(values(new FailoverProperties()).keySet());
    assertThat(items().values()).allSatisfy(item -> assertThat(item).contains("\"description\": "));
  }

  /** The keys that applications have in their files already; a new name would break them. */
  @Test
  void theKnownKeysAreThere() throws IOException {
    assertThat(items().keySet())
        .contains(
            "failover.enabled",
            "failover.aspect.enabled",
            "failover.type",
            "failover.exception-policy",
            "failover.store.type",
            "failover.store.async",
            "failover.store.async-executor.concurrency-limit",
            "failover.store.async-executor.rejection-policy",
            "failover.store.inmemory.max-entries",
            "failover.store.caffeine.max-size",
            "failover.store.jdbc.table-prefix",
            "failover.store.jdbc.live-entries-gauge-enabled",
            "failover.scheduler.enabled",
            "failover.scheduler.cleanup-cron",
            "failover.scheduler.report-cron",
            "failover.observable.async.enabled",
            "failover.observable.async.queue-capacity",
            "failover.observable.instance.mode",
            "failover.observable.instance.id",
            "failover.observable.cardinality.enabled",
            "failover.observable.cardinality.max-apis");
  }

  /** A property that no test sets in a whole application could change nothing without notice. */
  @Test
  void everyPropertyIsTriedInAnApplication() throws IOException {
    StringBuilder tests = new StringBuilder();
    try (Stream<Path> files = Files.list(Path.of("src/test/java/failover/spring/boot"))) {
      for (Path file : files.sorted().toList()) {
        tests.append(Files.readString(file));
      }
    }
    assertThat(items().keySet())
        .allSatisfy(name -> assertThat(tests.indexOf("\"" + name + "=")).as(name).isPositive());
  }

  @Test
  void thePageNamesEveryProperty() throws IOException {
    String page = Files.readString(Path.of("../../docs/failover.md"));
    assertThat(items().keySet())
        .allSatisfy(name -> assertThat(page).as(name).contains("`" + name + "`"));
  }

  @Test
  void theDefaultsShownAreThoseUsed() throws IOException {
    Map<String, String> shown = new TreeMap<>();
    items()
        .forEach(
            (name, item) -> {
              Matcher value = DEFAULT.matcher(item);
              if (value.find()) {
                shown.put(name, value.group(1));
              }
            });
    FailoverProperties bound =
        new Binder(new MapConfigurationPropertySource(shown))
            .bind("failover", FailoverProperties.class)
            .get();
    assertThat(shown).hasSizeGreaterThanOrEqualTo(23);
    assertThat(values(bound)).isEqualTo(values(new FailoverProperties()));
  }
}
