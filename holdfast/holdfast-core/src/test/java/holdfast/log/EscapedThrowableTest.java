package holdfast.log;

import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.List;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a real formatter prints of a throwable. */
class EscapedThrowableTest {
  private static final String FORGED = "SEVERE: shop is on fire";

  private static List<String> printed(Throwable thrown) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StreamHandler handler = new StreamHandler(out, new SimpleFormatter());
    Logger logger = Logger.getLogger("shop");
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      LibraryLogger.of("shop").log(WARNING, "shop listener failed", thrown);
    } finally {
      handler.close();
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
    }
    return out.toString(UTF_8).lines().toList();
  }

  @Test
  void noMessageOfACauseOrOfWhatIsSuppressedForgesALine() {
    Exception suppressed = new IllegalArgumentException("c\r" + FORGED);
    Exception cause = new SQLException("b\u2028" + FORGED, suppressed);
    Exception thrown = new IllegalStateException("a\n" + FORGED, cause);
    thrown.addSuppressed(suppressed);
    assertThat(printed(thrown))
        .noneMatch(line -> line.startsWith(FORGED))
        .contains(
            "java.lang.IllegalStateException: a\\n" + FORGED,
            "Caused by: java.sql.SQLException: b\\u2028" + FORGED,
            "\tSuppressed: java.lang.IllegalArgumentException: c\\u000D" + FORGED)
        .anyMatch(line -> line.startsWith("\tat " + EscapedThrowableTest.class.getName()));
  }

  @Test
  void aCircleOfCausesIsPrintedOnce() {
    Exception first = new IllegalStateException("a\nb");
    Exception second = new IllegalStateException("c", first);
    first.initCause(second);
    first.addSuppressed(second);
    assertThat(printed(first))
        .contains("java.lang.IllegalStateException: a\\nb")
        .anyMatch(line -> line.contains("CIRCULAR REFERENCE"));
  }

  @Test
  void ofAnEndlessChainOfCausesOneHundredAreCopied() {
    Throwable chain = new IllegalStateException("the first\nof all");
    for (int i = 0; i < 100_000; i++) {
      chain = new IllegalStateException("cause", chain);
    }
    assertThat(printed(chain)).filteredOn(line -> line.startsWith("Caused by")).hasSize(99);
  }

  @Test
  void aMessageOfAnySizeIsCut() {
    String huge = "a\n".repeat(1_000_000);
    assertThat(printed(new IllegalStateException(huge)))
        .anyMatch(line -> line.endsWith("...") && line.length() < 11_000);
  }

  @Test
  void aThrowableThatCannotBePrintedKeepsItsClassAndFrames() {
    Exception speechless =
        new IllegalStateException() {
          private static final long serialVersionUID = 1L;

          @Override
          public String getMessage() {
            throw new UnsupportedOperationException("no message");
          }
        };
    assertThat(printed(speechless))
        .contains(speechless.getClass().getName())
        .anyMatch(line -> line.startsWith("\tat "));
  }

  @Test
  void aThrowableThatPrintsItselfIsPrintedByUs() {
    Exception own =
        new IllegalStateException("calm") {
          private static final long serialVersionUID = 1L;

          @Override
          public void printStackTrace(PrintWriter out) {
            out.println(FORGED);
          }
        };
    assertThat(printed(own)).doesNotContain(FORGED).anyMatch(line -> line.endsWith(": calm"));
  }

  @Test
  void whatIsFineAlreadyIsHandedOnItself() {
    Exception usual = new IllegalStateException("usual", new SQLException("cause"));
    usual.addSuppressed(new SQLException("suppressed"));
    @Nullable Throwable none = EscapedThrowable.of(null);
    assertThat(none).isNull();
    assertThat(EscapedThrowable.of(usual)).isSameAs(usual);
  }
}
