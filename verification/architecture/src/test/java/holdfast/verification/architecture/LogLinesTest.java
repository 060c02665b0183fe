package holdfast.verification.architecture;

import static holdfast.verification.architecture.LogLines.LOGGERS_COME_FROM_ONE_PLACE;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule about loggers is shown each way to get one, and the ways that are fine. */
class LogLinesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "System.getLogger(\"outbox\")",
        "java.util.logging.Logger.getLogger(\"outbox\")",
        "(java.util.function.Function<String, System.Logger>) System::getLogger",
      })
  void aLoggerFromElsewhereIsNamed(String expression) {
    assertThat(in("outbox.poller", expression).breaking(LOGGERS_COME_FROM_ONE_PLACE))
        .singleElement()
        .asString()
        .contains("outbox.poller.A", "LibraryLogger");
  }

  @Test
  void theOnePlaceMayAskForLoggers() {
    assertThat(
            in("holdfast.log", "System.getLogger(\"outbox\")")
                .breaking(LOGGERS_COME_FROM_ONE_PLACE))
        .isEmpty();
  }

  private static Sources in(String packageName, String expression) {
    return Sources.of(
        packageName.replace('.', '/') + "/A.java",
        """
        package %s;
        class A {
          final Object found = %s;
        }
        """
            .formatted(packageName, expression));
  }
}
