package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.log.CapturedLog;
import java.time.Duration;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bursts as they are told. */
class PressureLogTest {
  private final CapturedLog log = new CapturedLog("tracer");
  private final PressureLog pressure = new PressureLog(Lane.INDEX);

  @AfterEach
  void stopListening() {
    log.close();
  }

  private static long second(int second) {
    return Duration.ofSeconds(second).toNanos();
  }

  @Test
  void burstsThatFollowEachOtherAreOneStoryThatEndsWhenItHasBeenQuiet() {
    pressure.raised(second(0));
    pressure.look(false, second(1));
    pressure.raised(second(2));
    pressure.look(false, second(11));
    pressure.look(true, second(12));
    pressure.look(false, second(21));
    assertThat(log.messages(Level.WARNING))
        .containsExactly("tracer pressure lane=INDEX rings fill faster than they are drained");
    assertThat(log.messages(Level.INFO)).isEmpty();

    pressure.look(false, second(22));
    pressure.look(false, second(23));
    assertThat(log.messages(Level.INFO))
        .containsExactly("tracer pressure is over lane=INDEX times=2");

    pressure.raised(second(24));
    assertThat(log.messages(Level.WARNING)).hasSize(2);
  }
}
