package holdfast.spring.boot;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.LibraryLogger;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Warns at the start of every property under a library's prefix that nobody knows, and names the
 * nearest one that is known: {@code outbox.worker} instead of {@code outbox.workers} would
 * otherwise be ignored in silence.
 *
 * <p>Known is what any {@code META-INF/spring-configuration-metadata.json} on the class path lists,
 * so a module makes its own properties known the way it documents them for editors. Environment
 * variables are not checked, since their names do not tell dots from dashes. Not safe for use by
 * many threads.
 */
public final class UnknownProperties implements InitializingBean {
  private static final System.Logger LOG = LibraryLogger.of("holdfast.spring");
  private static final List<String> METADATA =
      List.of(
          "META-INF/spring-configuration-metadata.json",
          "META-INF/additional-spring-configuration-metadata.json");
  private static final Pattern ENTRY = Pattern.compile("\\{[^{}\\[\\]]*}");
  private static final Pattern NAME = Pattern.compile("\"name\"\\s*:\\s*\"([^\"]+)\"");
  private static final Pattern MAP = Pattern.compile("\"type\"\\s*:\\s*\"java\\.util\\.Map<");

  private final ConfigurationPropertyName prefix;
  private final Environment environment;
  private final ClassLoader classes;

  /**
   * A check that has not been made.
   *
   * @param prefix the first word of the library's properties: {@code outbox}
   * @param environment where properties are set
   */
  public UnknownProperties(String prefix, Environment environment) {
    this(prefix, environment, UnknownProperties.class.getClassLoader());
  }

  UnknownProperties(String prefix, Environment environment, ClassLoader classes) {
    this.prefix = ConfigurationPropertyName.of(prefix);
    this.environment = environment;
    this.classes = classes;
  }

  @Override
  public void afterPropertiesSet() {
    warnings().forEach(warning -> LOG.log(WARNING, warning));
  }

  /** One line for each property that nobody knows, in alphabetical order. */
  List<String> warnings() {
    Map<String, Boolean> known = known();
    Map<String, Boolean> uniform = new TreeMap<>();
    known.forEach((name, isMap) -> uniform.put(uniform(name), isMap));
    List<String> warnings = new ArrayList<>();
    for (String name : new TreeSet<>(set())) {
      if (!isKnown(ConfigurationPropertyName.of(name), uniform)) {
        warnings.add(
            "property '"
                + name
                + "' is set, but no library knows it, so it has no effect; "
                + advice(name, known));
      }
    }
    return warnings;
  }

  private static String advice(String name, Map<String, Boolean> known) {
    String nearest = nearest(name, known);
    return nearest == null
        ? "remove it"
        : "the nearest known one is '" + nearest + "': correct the name, or remove it";
  }

  private List<String> set() {
    List<String> names = new ArrayList<>();
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      if (source instanceof IterableConfigurationPropertySource all
          && !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
        all.stream().filter(prefix::isAncestorOf).forEach(name -> names.add(name.toString()));
      }
    }
    return names;
  }

  /** As Spring Boot compares names: {@code listenerTimeout} is {@code listener-timeout}. */
  private static String uniform(String name) {
    return name.replace("-", "");
  }

  /** Whether it is listed, or an element of a listed list or map. */
  private static boolean isKnown(ConfigurationPropertyName name, Map<String, Boolean> known) {
    if (known.containsKey(uniform(name.toString()))) {
      return true;
    }
    for (ConfigurationPropertyName parent = name.getParent();
        !parent.isEmpty();
        parent = parent.getParent()) {
      boolean element = name.isNumericIndex(parent.getNumberOfElements());
      Boolean map = known.get(uniform(parent.toString()));
      if (map != null && (map || element)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The listed names under the prefix, and whether each is a map with keys of the user's choice.
   */
  private Map<String, Boolean> known() {
    Map<String, Boolean> known = new TreeMap<>();
    try {
      for (String file : METADATA) {
        for (URL metadata : Collections.list(classes.getResources(file))) {
          note(metadata, known);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the metadata of properties could not be read", e);
    }
    return known;
  }

  private void note(URL metadata, Map<String, Boolean> known) throws IOException {
    String text;
    try (InputStream in = metadata.openStream()) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    Matcher entries = ENTRY.matcher(text);
    while (entries.find()) {
      Matcher name = NAME.matcher(entries.group());
      if (name.find() && name.group(1).startsWith(prefix + ".")) {
        known.merge(name.group(1), MAP.matcher(entries.group()).find(), Boolean::logicalOr);
      }
    }
  }

  private static @Nullable String nearest(String name, Map<String, Boolean> known) {
    String nearest = null;
    int least = Integer.MAX_VALUE;
    for (String candidate : known.keySet()) {
      int distance = distance(name, candidate);
      if (distance < least) {
        least = distance;
        nearest = candidate;
      }
    }
    return nearest;
  }

  /** How many characters must be added, removed or replaced to make one of the other. */
  private static int distance(String one, String other) {
    int[] last = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] next = new int[other.length() + 1];
      next[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int replaced = last[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        next[j] = Math.min(replaced, Math.min(last[j], next[j - 1]) + 1);
      }
      last = next;
    }
    return last[other.length()];
  }
}
