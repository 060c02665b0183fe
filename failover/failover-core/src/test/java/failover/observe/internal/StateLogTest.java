package failover.observe.internal;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StateLogTest {
  private final SettableTime time = new SettableTime();
  private final StateLog state = new StateLog(time);
  private final CapturedLog log = new CapturedLog("failover");

  @AfterEach
  void close() {
    log.close();
  }

  private void storeFails(String name) {
    state.troubleOf(name, () -> "failover fails name=" + name, new IOException("a payload"));
  }

  @Test
  void eachNameIsLoggedOnceWhileTheTroubleLastsWithoutWhatMayBeAnAnswer() {
    for (int i = 0; i < 3; i++) {
      storeFails("one");
      storeFails("other");
    }
    assertThat(log.messages(Level.WARNING))
        .containsExactly(
            "failover fails name=one cause=java.io.IOException",
            "failover fails name=other cause=java.io.IOException");
  }

  @Test
  void andAgainInTheNextTrouble() {
    storeFails("one");
    storeFails("other");
    time.advance(StateLog.QUIET);
    state.well(() -> "failover works again");
    storeFails("other");
    storeFails("other");
    storeFails("one");
    assertThat(log.messages(Level.INFO)).containsExactly("failover works again");
    assertThat(log.messages(Level.WARNING)).hasSize(4);
  }

  @Test
  void theMessageOfOtherFailuresIsLoggedOnOneLine() {
    IOException why = new IOException("line one\nline two", new IllegalStateException("the root"));
    state.trouble(() -> "failover fails", why);
    state.trouble(() -> "failover fails", why);
    assertThat(log.messages(Level.WARNING))
        .containsExactly(
            "failover fails cause=java.io.IOException: line one\\nline two, caused by"
                + " java.lang.IllegalStateException: the root");
  }
}
