package failover.spring.boot;

import failover.FailoverScanner;
import failover.FailoverSpec;
import holdfast.spring.boot.StartException;
import java.beans.PropertyDescriptor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Fails the start for settings of points that would have no effect: of a point that no annotation
 * names, or of a name that is no setting. Names the nearest one that is known.
 *
 * <p>Environment variables are checked for points alone: their names do not tell dots from dashes.
 */
final class UnknownPoints implements SmartInitializingSingleton {
  private static final ConfigurationPropertyName PREFIX =
      ConfigurationPropertyName.of("failover.points");
  private static final int SETTING = PREFIX.getNumberOfElements() + 1; // after the point

  private final FailoverScanner scanner;
  private final Set<String> set;
  private final Environment environment;

  /**
   * A check, to be made when the scanner has found all points.
   *
   * @param scanner has found the points
   * @param set the points that have settings
   * @param environment where properties are set
   */
  UnknownPoints(FailoverScanner scanner, Set<String> set, Environment environment) {
    this.scanner = scanner;
    this.set = set;
    this.environment = environment;
  }

  @Override
  public void afterSingletonsInstantiated() {
    List<String> problems = new ArrayList<>(unknownPoints());
    problems.addAll(unknownSettings());
    if (!problems.isEmpty()) {
      throw new StartException(
          "settings of failover points have no effect: " + String.join("; ", problems),
          "correct the names, or remove the settings");
    }
  }

  private List<String> unknownPoints() {
    Set<String> known = new TreeSet<>();
    scanner.findAllFailover().stream().map(FailoverSpec::name).forEach(known::add);
    return new TreeSet<>(set)
        .stream()
            .filter(name -> !known.contains(name))
            .map(
                name ->
                    "failover.points.%s is set but no @Failover has that name; %s"
                        .formatted(name, nearest(name, known)))
            .toList();
  }

  private Set<String> unknownSettings() {
    Set<String> known = settings();
    Set<String> problems = new TreeSet<>();
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      if (source instanceof IterableConfigurationPropertySource all
          && !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
        all.stream()
            .filter(name -> isUnknown(name, known))
            .map(name -> "%s is no setting of a point; %s".formatted(name, nearest(name, known)))
            .forEach(problems::add);
      }
    }
    return problems;
  }

  /** The settings that a point may have, as they are documented. */
  private static Set<String> settings() {
    Set<String> known = new TreeSet<>();
    for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(PointProperties.class)) {
      if (property.getWriteMethod() != null) {
        known.add(property.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
      }
    }
    return known;
  }

  private static boolean isUnknown(ConfigurationPropertyName name, Set<String> known) {
    return PREFIX.isAncestorOf(name)
        && name.getNumberOfElements() > SETTING
        && known.stream()
            .noneMatch(it -> it.replace("-", "").equals(name.getElement(SETTING, Form.UNIFORM)));
  }

  private static String nearest(ConfigurationPropertyName name, Set<String> known) {
    return nearest(name.getElement(SETTING, Form.DASHED), known);
  }

  private static String nearest(String name, Set<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(it -> distance(it, name)))
        .map(it -> "the nearest known one is '" + it + "'")
        .orElse("there is none at all");
  }

  /** How many letters must be added, taken away or replaced. */
  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
