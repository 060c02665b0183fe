package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.spring.test.ExitingApp;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** The last line of the library is in the application's log however the JVM ends. */
@Timeout(240)
class ExitLogTest {

  @Configuration
  @EnableAutoConfiguration
  static class App {}

  @Test
  void atTheEndOfMain() throws InterruptedException {
    assertLastLine(ExitingApp.linesUntilMainEnds(App.class));
  }

  @Test
  void atATerminationSignal() throws InterruptedException {
    assertLastLine(ExitingApp.linesUntilTerminated(App.class));
  }

  private static void assertLastLine(List<String> lines) {
    assertThat(lines)
        .as("in the format of Logback, once")
        .filteredOn(line -> line.contains(" : outbox dispatcher closed CloseReport["))
        .singleElement()
        .asString()
        .contains(" INFO ");
  }
}
