package perfetto;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A trace processor that hangs or ends fails the test that asks it, and says why. */
@Timeout(60)
class TraceProcessorTest {

  /** Says that it is ready, complains, and never answers; or ends. */
  static final class Silent {
    public static void main(String[] arguments) {
      System.out.println("{}");
      System.err.println("told to " + arguments[0]);
      while (arguments[0].equals("hang")) {
        LockSupport.park();
      }
    }
  }

  private static TraceProcessor silent(String how) {
    return TraceProcessor.start(
        Duration.ofSeconds(10),
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        System.getProperty("java.class.path"),
        Silent.class.getName(),
        how);
  }

  @Test
  void oneThatDoesNotAnswerIsKilledAndItsErrorsAreShown() {
    TraceProcessor processor = silent("hang");

    assertThatThrownBy(() -> processor.rows("select 1"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("did not answer within PT10S")
        .hasMessageContaining("told to hang");
  }

  @Test
  void oneThatHasEndedShowsItsErrors() {
    assertThatThrownBy(
            () -> {
              TraceProcessor processor = silent("end");
              while (true) {
                processor.rows("select 1");
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("told to end");
  }
}
