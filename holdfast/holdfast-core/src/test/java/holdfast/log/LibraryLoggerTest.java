package holdfast.log;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class LibraryLoggerTest {
  private final System.Logger log = LibraryLogger.of("shop");

  @Test
  void noMessageWhateverItIsMadeOfIsMoreThanOneLine() {
    Exception failure = new IllegalStateException("broken");
    try (Lines lines = new Lines("shop")) {
      log.log(INFO, "a\nb");
      log.log(INFO, () -> "a\nb");
      log.log(WARNING, "a\nb", failure);
      log.log(WARNING, () -> "a\nb", failure);
      log.log(ERROR, "{0}: {1}", "a\nb", 17);
      log.log(ERROR, List.of("a\nb"));
      assertThat(lines.taken())
          .containsExactly(
              "INFO a\\nb",
              "INFO a\\nb",
              "WARNING a\\nb +trace",
              "WARNING a\\nb +trace",
              "SEVERE a\\nb: 17",
              "SEVERE [a\\nb]");
    }
  }

  @Test
  void whatIsNotLoggableIsNotEvenBuilt() {
    try (Lines lines = new Lines("shop")) {
      log.log(
          DEBUG,
          () -> {
            throw new IllegalStateException("not asked for");
          });
      assertThat(log.isLoggable(DEBUG)).isFalse();
      assertThat(lines.taken()).isEmpty();
    }
    assertThat(log.getName()).isEqualTo("shop");
  }

  @Test
  void aLineIsOfTheClassThatWroteIt() {
    List<String> callers = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            callers.add(line.getSourceClassName() + "." + line.getSourceMethodName());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("shop");
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      // Frames of this package are passed over, those of the test among them.
      new FutureTask<>(() -> log.log(INFO, "a"), null).run();
    } finally {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
    }
    assertThat(callers).singleElement().asString().startsWith("java.util.concurrent.");
  }
}
