package holdfast.verification.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Where packages live, and what each says about itself. */
final class Packages {

  private static final String NULL_MARKED = "org.jspecify.annotations.NullMarked";

  /** Without this one, a class in a package of a new name would escape all the others. */
  static final ArchRule CLASSES_LIVE_IN_THE_HOUSE =
      Rules.forbidEverywhere(
          "every class is shared, in a library or in a sink",
          type ->
              House.holds(type)
                  ? Stream.empty()
                  : Stream.of(type.getName() + " is in a package the rules do not know"));

  static final ArchRule PACKAGES_ARE_NULL_MARKED =
      Rules.forbid(
          "every package has a package-info with @NullMarked",
          type ->
              type.getPackage().isAnnotatedWith(NULL_MARKED)
                  ? Stream.empty()
                  : Stream.of(
                      "the package of %s has no package-info with @NullMarked"
                          .formatted(type.getName())));

  static final ArchRule PACKAGES_LIVE_IN_ONE_MODULE =
      classes()
          .should(new LiveInOneModule())
          .as("no package lives in two modules")
          .allowEmptyShould(true);

  private Packages() {}

  static Stream<ArchRule> all() {
    return Stream.of(
        CLASSES_LIVE_IN_THE_HOUSE, PACKAGES_ARE_NULL_MARKED, PACKAGES_LIVE_IN_ONE_MODULE);
  }

  private static final class LiveInOneModule extends ArchCondition<JavaClass> {
    private final Map<String, Set<String>> modulesByPackage = new HashMap<>();

    LiveInOneModule() {
      super("live in a package of one module");
    }

    @Override
    public void init(Collection<JavaClass> types) {
      modulesByPackage.clear();
      for (JavaClass type : types) {
        modulesByPackage
            .computeIfAbsent(type.getPackageName(), name -> new TreeSet<>())
            .add(moduleOf(type));
      }
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
      Set<String> modules = modulesByPackage.getOrDefault(type.getPackageName(), Set.of());
      if (modules.size() > 1) {
        events.add(
            SimpleConditionEvent.violated(
                type, "the package of %s lives in %s".formatted(type.getName(), modules)));
      }
    }

    /** The folder or jar the class was read from. */
    private static String moduleOf(JavaClass type) {
      String uri = type.getSource().orElseThrow().getUri().toString();
      return uri.substring(0, uri.length() - type.getName().length() - ".class".length());
    }
  }
}
