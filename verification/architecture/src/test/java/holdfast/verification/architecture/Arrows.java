package holdfast.verification.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.stream.Stream;

/** Which part of the house may know which. */
final class Arrows {

  static final ArchRule LIBRARIES_KNOW_NO_OTHER_LIBRARY =
      Rules.forbidArrows(
          "libraries know no other library, except that spring packages contribute to the console",
          (from, to) ->
              House.isInLibrary(from)
                  && (House.isInSinks(to) || House.isInRelays(to) || isInAnotherLibrary(from, to))
                  && !isContribution(from, to));

  static final ArchRule SHARED_MODULES_KNOW_NO_LIBRARY =
      Rules.forbidArrows(
          "the shared modules know no library",
          (from, to) ->
              House.isShared(from)
                  && (House.isInLibrary(to) || House.isInSinks(to) || House.isInRelays(to)));

  static final ArchRule RELAYS_KNOW_THE_OUTBOX_ALONE =
      Rules.forbidArrows(
          "relays know no library but the outbox",
          (from, to) ->
              House.isInRelays(from)
                  && (House.isInLibrary(to) || House.isInSinks(to))
                  && !House.isInOutbox(to));

  static final ArchRule SPRING_STAYS_IN_SPRING_PACKAGES =
      Rules.forbidArrows(
          "Spring is known only in packages with a segment spring",
          (from, to) -> !House.isSpring(from) && House.isBelow(to, "org.springframework"));

  static final ArchRule CORES_KNOW_NO_TECHNOLOGY =
      Rules.forbidArrows(
          "the core packages of a library know none of its technology packages",
          (from, to) ->
              isSameLibrary(from, to) && !House.isTechnology(from) && House.isTechnology(to));

  static final ArchRule TECHNOLOGIES_KNOW_NO_SPRING =
      Rules.forbidArrows(
          "the technology packages of a library know none of its spring packages",
          (from, to) ->
              isSameLibrary(from, to)
                  && House.isTechnology(from)
                  && !House.isSpring(from)
                  && House.isSpring(to));

  /**
   * Front packages are left out: the door names the steps it starts with, and every step names the
   * door's own types.
   */
  static final ArchRule PACKAGES_FORM_NO_CYCLE =
      slices()
          .assignedFrom(new PackagesBehindTheDoor())
          .should()
          .beFreeOfCycles()
          .as("the packages behind the front doors form no cycle")
          .allowEmptyShould(true);

  private Arrows() {}

  static Stream<ArchRule> all() {
    return Stream.of(
        LIBRARIES_KNOW_NO_OTHER_LIBRARY,
        SHARED_MODULES_KNOW_NO_LIBRARY,
        RELAYS_KNOW_THE_OUTBOX_ALONE,
        SPRING_STAYS_IN_SPRING_PACKAGES,
        CORES_KNOW_NO_TECHNOLOGY,
        TECHNOLOGIES_KNOW_NO_SPRING,
        PACKAGES_FORM_NO_CYCLE);
  }

  private static boolean isSameLibrary(JavaClass from, JavaClass to) {
    return House.isInLibrary(from) && House.part(from).equals(House.part(to));
  }

  private static boolean isInAnotherLibrary(JavaClass from, JavaClass to) {
    return House.isInLibrary(to) && !isSameLibrary(from, to);
  }

  private static boolean isContribution(JavaClass from, JavaClass to) {
    return House.isSpring(from) && House.part(to).equals(House.CONSOLE);
  }

  private static final class PackagesBehindTheDoor implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      return House.holds(type) && !House.isAtFrontDoor(type)
          ? SliceIdentifier.of(type.getPackageName())
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "packages behind the front doors";
    }
  }
}
