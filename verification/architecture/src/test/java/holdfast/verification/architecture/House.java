package holdfast.verification.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;
import java.util.Set;

/**
 * The parts of the house, told apart by package: the shared modules, the libraries and the sinks.
 */
final class House {

  static final String SHARED = "holdfast";
  static final String CONSOLE = "console";
  static final String SPRING = "spring";

  private static final Set<String> LIBRARIES =
      Set.of("outbox", "eventbus", "eventlog", "tracer", "failover", CONSOLE);

  /** Sinks stand on libraries, so nothing in the house stands on them. */
  private static final String SINKS = "sinks";

  private static final Set<String> TECHNOLOGIES =
      Set.of(
          "jdbc",
          SPRING,
          "caffeine",
          "perfetto",
          "micrometer",
          "logback",
          "log4j2",
          "otlp",
          "tool");

  private static final Set<String> SHARED_OUTSIDE_CORE =
      Set.of("jackson", "jdbc", "micrometer", SPRING, "testkit");

  private static final String RELAYS = "relay";
  private static final String OUTBOX = "outbox";

  private House() {}

  /**
   * The first segment of the package: the shared core, a library, or a name the house does not
   * know.
   */
  static String part(JavaClass type) {
    return segments(type)[0];
  }

  static boolean holds(JavaClass type) {
    return isShared(type) || isInLibrary(type) || isInSinks(type) || isInRelays(type);
  }

  static boolean isShared(JavaClass type) {
    return part(type).equals(SHARED);
  }

  static boolean isInLibrary(JavaClass type) {
    return LIBRARIES.contains(part(type));
  }

  static boolean isInSinks(JavaClass type) {
    return part(type).equals(SINKS);
  }

  /** Whether the type is in a relay, which stands on the outbox; nothing stands on a relay. */
  static boolean isInRelays(JavaClass type) {
    return part(type).equals(RELAYS);
  }

  static boolean isInOutbox(JavaClass type) {
    return part(type).equals(OUTBOX);
  }

  /** Whether the type is in the shared core, in a package that belongs to holdfast-core. */
  static boolean isInSharedCore(JavaClass type) {
    String[] segments = segments(type);
    return isShared(type) && (segments.length == 1 || !SHARED_OUTSIDE_CORE.contains(segments[1]));
  }

  /** Whether the type is in the front package of a library, which all its other packages know. */
  static boolean isAtFrontDoor(JavaClass type) {
    return isInLibrary(type) && segments(type).length == 1;
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
