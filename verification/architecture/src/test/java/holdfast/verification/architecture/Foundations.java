package holdfast.verification.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the shared core itself stands on. */
final class Foundations {

  private static final String JDBC = "holdfast.jdbc";
  private static final String TESTKIT = "holdfast.testkit";

  /** What the standard modules export; the JDK's own modules may change with any release. */
  private static final Set<String> JAVA_PACKAGES =
      ModuleFinder.ofSystem().findAll().stream()
          .map(ModuleReference::descriptor)
          .filter(module -> module.name().startsWith("java."))
          .flatMap(module -> module.exports().stream())
          .filter(export -> !export.isQualified())
          .map(ModuleDescriptor.Exports::source)
          .collect(Collectors.toUnmodifiableSet());

  static final ArchRule THE_CORE_NEEDS_ONLY_JAVA =
      Rules.forbidArrows(
          "holdfast-core uses Java and JSpecify only",
          (from, to) ->
              House.isInSharedCore(from) && !isJavaOrJSpecify(to) && !House.isInSharedCore(to));

  static final ArchRule JDBC_NEEDS_ONLY_THE_CORE =
      Rules.forbidArrows(
          "holdfast-jdbc uses Java, JSpecify and holdfast-core only",
          (from, to) ->
              House.isBelow(from, JDBC)
                  && !isJavaOrJSpecify(to)
                  && !House.isInSharedCore(to)
                  && !House.isBelow(to, JDBC));

  static final ArchRule PRODUCTION_KNOWS_NO_TESTKIT =
      Rules.forbidArrows(
          "production code never uses the testkit",
          (from, to) -> !House.isBelow(from, TESTKIT) && House.isBelow(to, TESTKIT));

  private Foundations() {}

  static Stream<ArchRule> all() {
    return Stream.of(
        THE_CORE_NEEDS_ONLY_JAVA, JDBC_NEEDS_ONLY_THE_CORE, PRODUCTION_KNOWS_NO_TESTKIT);
  }

  private static boolean isJavaOrJSpecify(JavaClass type) {
    return type.isPrimitive()
        || JAVA_PACKAGES.contains(type.getPackageName())
        || House.isBelow(type, "org.jspecify");
  }
}
