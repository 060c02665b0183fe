package holdfast.verification.firsthour.log;

import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import holdfast.log.LibraryLogger;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Stack traces as Logback prints them, which applications of Spring Boot log with. */
class StackTraceTest {

  @Test
  void noMessageOfAnExceptionForgesALine() {
    String forged = "ERROR shop is on fire";
    Exception thrown =
        new IllegalStateException("a\n" + forged, new IllegalArgumentException("b\n" + forged));
    assertThat(printed(thrown))
        .doesNotContain(forged)
        .anyMatch(line -> line.contains("java.lang.IllegalStateException: a\\n" + forged))
        .anyMatch(line -> line.contains("java.lang.IllegalArgumentException: b\\n" + forged))
        .anyMatch(line -> line.startsWith("\tat " + StackTraceTest.class.getName()));
  }

  @Test
  void whatIsFineAlreadyIsPrintedAsItIs() {
    assertThat(printed(new IllegalStateException("calm")))
        .contains("WARN listener failed", "java.lang.IllegalStateException: calm");
  }

  private static List<String> printed(Exception thrown) {
    Logger logger = (Logger) LoggerFactory.getLogger("shop");
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(logger.getLoggerContext());
    encoder.setPattern("%level %msg%n%ex");
    encoder.start();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
    appender.setContext(logger.getLoggerContext());
    appender.setEncoder(encoder);
    appender.setOutputStream(out);
    appender.start();
    logger.addAppender(appender);
    logger.setAdditive(false);
    try {
      LibraryLogger.of("shop").log(WARNING, "listener failed", thrown);
    } finally {
      logger.detachAppender(appender);
      appender.stop();
      logger.setAdditive(true);
    }
    return out.toString(UTF_8).lines().toList();
  }
}
