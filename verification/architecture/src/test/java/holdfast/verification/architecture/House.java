package holdfast.verification.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;
import java.util.Set;

/** The parts of the house, told apart by package: the floor, the rooms and the sinks. */
final class House {

  static final String FLOOR = "holdfast";
  static final String CONSOLE = "console";
  static final String SPRING = "spring";

  private static final Set<String> ROOMS =
      Set.of("outbox", "eventbus", "eventlog", "tracer", "failover", CONSOLE);

  /** Sinks stand on rooms, so nothing in the house stands on them. */
  private static final String SINKS = "sinks";

  private static final Set<String> TECHNOLOGIES =
      Set.of("jdbc", SPRING, "caffeine", "perfetto", "micrometer", "logback", "log4j2", "otlp");

  private static final Set<String> FLOOR_OUTSIDE_CORE =
      Set.of("jackson", "jdbc", "micrometer", SPRING, "testkit");

  private House() {}

  /** The first segment of the package: the floor, a room, or a name the house does not know. */
  static String part(JavaClass type) {
    return segments(type)[0];
  }

  static boolean holds(JavaClass type) {
    return isOnFloor(type) || isInRoom(type) || isInSinks(type);
  }

  static boolean isOnFloor(JavaClass type) {
    return part(type).equals(FLOOR);
  }

  static boolean isInRoom(JavaClass type) {
    return ROOMS.contains(part(type));
  }

  static boolean isInSinks(JavaClass type) {
    return part(type).equals(SINKS);
  }

  /** Whether the type is on the floor in a package that belongs to holdfast-core. */
  static boolean isInFloorCore(JavaClass type) {
    String[] segments = segments(type);
    return isOnFloor(type) && (segments.length == 1 || !FLOOR_OUTSIDE_CORE.contains(segments[1]));
  }

  /** Whether the type is in the front package of a room, which all its other packages know. */
  static boolean isAtFrontDoor(JavaClass type) {
    return isInRoom(type) && segments(type).length == 1;
  }

  static boolean isTechnology(JavaClass type) {
    return Arrays.stream(segments(type)).anyMatch(TECHNOLOGIES::contains);
  }

  static boolean isSpring(JavaClass type) {
    return Arrays.asList(segments(type)).contains(SPRING);
  }

  /** Whether the type is in the named package or below it. */
  static boolean isBelow(JavaClass type, String packageName) {
    return (type.getPackageName() + ".").startsWith(packageName + ".");
  }

  private static String[] segments(JavaClass type) {
    return type.getPackageName().split("\\.", -1);
  }
}
