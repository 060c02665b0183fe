package holdfast.verification.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.stream.Stream;

/** Which part of the house may know which. */
final class Arrows {

  static final ArchRule ROOMS_KNOW_NO_OTHER_ROOM =
      Rules.forbidArrows(
          "rooms know no other room, except that spring packages contribute to the console",
          (from, to) ->
              House.isInRoom(from)
                  && (House.isInSinks(to) || isInAnotherRoom(from, to))
                  && !isContribution(from, to));

  static final ArchRule THE_FLOOR_KNOWS_NO_ROOM =
      Rules.forbidArrows(
          "the floor knows no room",
          (from, to) -> House.isOnFloor(from) && (House.isInRoom(to) || House.isInSinks(to)));

  static final ArchRule SPRING_STAYS_IN_SPRING_PACKAGES =
      Rules.forbidArrows(
          "Spring is known only in packages with a segment spring",
          (from, to) -> !House.isSpring(from) && House.isBelow(to, "org.springframework"));

  static final ArchRule CORES_KNOW_NO_TECHNOLOGY =
      Rules.forbidArrows(
          "the core packages of a room know none of its technology packages",
          (from, to) ->
              isSameRoom(from, to) && !House.isTechnology(from) && House.isTechnology(to));

  static final ArchRule TECHNOLOGIES_KNOW_NO_SPRING =
      Rules.forbidArrows(
          "the technology packages of a room know none of its spring packages",
          (from, to) ->
              isSameRoom(from, to)
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
        ROOMS_KNOW_NO_OTHER_ROOM,
        THE_FLOOR_KNOWS_NO_ROOM,
        SPRING_STAYS_IN_SPRING_PACKAGES,
        CORES_KNOW_NO_TECHNOLOGY,
        TECHNOLOGIES_KNOW_NO_SPRING,
        PACKAGES_FORM_NO_CYCLE);
  }

  private static boolean isSameRoom(JavaClass from, JavaClass to) {
    return House.isInRoom(from) && House.part(from).equals(House.part(to));
  }

  private static boolean isInAnotherRoom(JavaClass from, JavaClass to) {
    return House.isInRoom(to) && !isSameRoom(from, to);
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
