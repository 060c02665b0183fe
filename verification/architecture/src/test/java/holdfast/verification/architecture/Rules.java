package holdfast.verification.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Stream;

/** How rules are made: a sentence, and a function that finds what breaks it in one class. */
final class Rules {

  private static final DescribedPredicate<JavaClass> IN_THE_HOUSE =
      DescribedPredicate.describe("in the house", House::holds);

  private Rules() {}

  /** Every rule, for the main code of all modules. */
  static Stream<ArchRule> all() {
    return Stream.of(
            Arrows.all(),
            Foundations.all(),
            Packages.all(),
            HandedIn.all(),
            LogLines.all(),
            ClassNames.all())
        .flatMap(Function.identity());
  }

  /** A rule that no class of the house has a dependency for which the predicate holds. */
  static ArchRule forbidArrows(String sentence, BiPredicate<JavaClass, JavaClass> wrong) {
    return forbid(
        sentence,
        type ->
            type.getDirectDependenciesFromSelf().stream()
                .filter(arrow -> wrong.test(type, target(arrow)))
                .map(Dependency::getDescription));
  }

  /** A rule that the function finds nothing to complain about in any class of the house. */
  static ArchRule forbid(String sentence, Function<JavaClass, Stream<String>> complaints) {
    return rule(sentence, classes().that(IN_THE_HOUSE)::should, complaints);
  }

  /** A rule that the function finds nothing to complain about in any class at all. */
  static ArchRule forbidEverywhere(
      String sentence, Function<JavaClass, Stream<String>> complaints) {
    return rule(sentence, classes()::should, complaints);
  }

  private static ArchRule rule(
      String sentence,
      Function<ArchCondition<JavaClass>, ArchRule> should,
      Function<JavaClass, Stream<String>> complaints) {
    ArchCondition<JavaClass> condition =
        new ArchCondition<>(sentence) {
          @Override
          public void check(JavaClass type, ConditionEvents events) {
            complaints
                .apply(type)
                .map(complaint -> SimpleConditionEvent.violated(type, complaint))
                .forEach(events::add);
          }
        };
    // A library that is not built yet breaks no rule.
    return should.apply(condition).as(sentence).allowEmptyShould(true);
  }

  private static JavaClass target(Dependency arrow) {
    return arrow.getTargetClass().getBaseComponentType();
  }
}
