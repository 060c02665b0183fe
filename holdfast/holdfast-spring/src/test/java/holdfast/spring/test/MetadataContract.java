package holdfast.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.beans.PropertyDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.ReflectionUtils;

/**
 * What editors show of a starter's properties: a sentence for each, and the default that is used;
 * the table on the library's page names them all, and so do the tests.
 */
public abstract class MetadataContract {
  private static final Pattern DEFAULT = Pattern.compile("\"defaultValue\": \"?([^\",\\n]+)\"?");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  private final String key;
  private final Supplier<?> properties;
  private final List<String> withoutDefault;
  private final List<Class<?>> builders;

  /**
   * For one starter.
   *
   * @param key the first word of its properties, and the name of its page
   * @param properties makes them as they are unless set
   * @param withoutDefault the keys that nobody could show a default for, sorted
   * @param builders whose methods the page names
   */
  protected MetadataContract(
      String key, Supplier<?> properties, List<String> withoutDefault, Class<?>... builders) {
    this.key = key;
    this.properties = properties;
    this.withoutDefault = withoutDefault;
    this.builders = List.of(builders);
  }

  /** What the metadata says, by key. */
  protected final Map<String, String> items() throws IOException {
    Pattern pattern = Pattern.compile("\\{[^{}]*\"name\": \"(" + key + "\\.[^\"]+)\"[^{}]*}");
    try (InputStream file =
        getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      Map<String, String> items = new TreeMap<>();
      Matcher item = pattern.matcher(text);
      while (item.find()) {
        if (item.group().contains("sourceType") && !item.group().contains("sourceMethod")) {
          items.put(item.group(1), item.group());
        }
      }
      return items;
    }
  }

  private Map<String, Object> values(Object bean) {
    Map<String, Object> values = new TreeMap<>();
    read(bean, key + ".", values);
    return values;
  }

  private static void read(Object bean, String prefix, Map<String, Object> values) {
    if (bean instanceof Record) {
      readRecord(bean, prefix, values);
      return;
    }
    BeanWrapper wrapped = new BeanWrapperImpl(bean);
    for (PropertyDescriptor property : wrapped.getPropertyDescriptors()) {
      if (!property.getName().equals("class")) {
        String name = keyOf(property.getName());
        Object value = wrapped.getPropertyValue(property.getName());
        if (property.getWriteMethod() != null
            || value instanceof Map<?, ?>
            || value instanceof Collection<?>) {
          values.put(prefix + name, value);
        } else {
          read(value, prefix + name + ".", values);
        }
      }
    }
  }

  private static void readRecord(Object bean, String prefix, Map<String, Object> values) {
    for (RecordComponent component : bean.getClass().getRecordComponents()) {
      String name = keyOf(component.getName());
      Method accessor = component.getAccessor();
      ReflectionUtils.makeAccessible(accessor);
      Object value = ReflectionUtils.invokeMethod(accessor, bean);
      if (value instanceof Record) {
        read(value, prefix + name + ".", values);
      } else {
        values.put(prefix + name, value);
      }
    }
  }

  private static String keyOf(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  @Test
  void everyPropertyHasASentence() throws IOException {
    assertThat(items().keySet()).isEqualTo(values(properties.get()).keySet());
    assertThat(items().values()).allSatisfy(item -> assertThat(item).contains("\"description\": "));
  }

  /** The table of settings has every property beside the method that does the same. */
  @Test
  void thePageNamesEveryPropertyAndMethodAsItIs() throws IOException {
    String page = Files.readString(Path.of("../../docs/" + key + ".md"));
    String section = page.substring(page.indexOf("\n## Settings") + 1);
    List<String> rows =
        section
            .split("\n## ", 2)[0]
            .lines()
            .filter(line -> line.startsWith("| `") || line.startsWith("| | `"))
            .toList();
    Stream<String> ofBuilders =
        builders.stream().flatMap(type -> Stream.of(type.getMethods())).map(Method::getName);
    List<String> methods = Stream.concat(ofBuilders, Stream.of("start()")).toList();

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
    String folder = "src/test/java/" + getClass().getPackageName().replace('.', '/');
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      for (Path file : files.sorted().toList()) {
        tests.append(Files.readString(file));
      }
    }

    assertThat(items().keySet())
        .allSatisfy(
            name ->
                assertThat(tests.toString())
                    .as(name)
                    .containsPattern("\"" + Pattern.quote(name) + "(\\.[\\w-]+|\\[\\d+])*="));
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
    Object unset = properties.get();
    Object bound =
        new Binder(new MapConfigurationPropertySource(shown)).bind(key, unset.getClass()).get();

    assertThat(values(bound)).isEqualTo(values(unset));
    assertThat(without).isEqualTo(withoutDefault);
  }
}
