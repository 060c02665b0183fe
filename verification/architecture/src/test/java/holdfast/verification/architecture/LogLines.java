package holdfast.verification.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.stream.Stream;

/** Every line of the log goes through the one class that escapes what could forge a line. */
final class LogLines {

  private static final Set<String> LOGGERS =
      Set.of(
          "java.lang.System.getLogger",
          "java.util.logging.Logger.getLogger",
          "org.slf4j.LoggerFactory.getLogger");

  /** The testkit and the tool log nothing themselves. */
  private static final Set<String> OTHERS =
      Set.of("holdfast.log", "holdfast.testkit", "eventlog.tool");

  /** Needs the MDC, and escapes each text itself. */
  private static final String MDC_PUBLISHER = "failover.spring.MdcLogPublisher";

  static final ArchRule LOGGERS_COME_FROM_ONE_PLACE =
      Rules.forbid(
          "loggers come from holdfast.log.LibraryLogger, so that no line can be forged",
          type -> mayAskForOne(type) ? Stream.empty() : complaints(type));

  private LogLines() {}

  static Stream<ArchRule> all() {
    return Stream.of(LOGGERS_COME_FROM_ONE_PLACE);
  }

  private static boolean mayAskForOne(JavaClass type) {
    return OTHERS.stream().anyMatch(name -> House.isBelow(type, name))
        || type.getName().equals(MDC_PUBLISHER);
  }

  private static Stream<String> complaints(JavaClass type) {
    return type.getCodeUnitAccessesFromSelf().stream()
        .filter(
            access -> LOGGERS.contains(access.getTargetOwner().getName() + "." + access.getName()))
        .map(access -> access.getDescription() + ": takes a LibraryLogger instead");
  }
}
