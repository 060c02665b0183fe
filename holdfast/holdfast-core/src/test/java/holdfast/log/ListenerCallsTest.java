package holdfast.log;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.time.StoppedTime;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ListenerCallsTest {

  @Test
  void whatAListenerThrowsIsLoggedOnceAMinuteAndGoesNoFurther() {
    StoppedTime time = new StoppedTime();
    AtomicInteger called = new AtomicInteger();
    try (Lines lines = new Lines("shop")) {
      ListenerCalls calls = new ListenerCalls("shop", time);
      for (int i = 0; i < 10; i++) {
        calls.run(
            () -> {
              called.incrementAndGet();
              throw new AssertionError("broken");
            });
      }
      time.advance(LineLimit.EVERY);
      calls.run(
          () -> {
            throw new IllegalStateException("broken, too");
          });
      calls.run(called::incrementAndGet);
      assertThat(lines.taken())
          .containsExactly(
              "WARNING shop lifecycle listener failed failures=1"
                  + " error=java.lang.AssertionError: broken +trace",
              "WARNING shop lifecycle listener failed failures=10"
                  + " error=java.lang.IllegalStateException: broken, too +trace");
    }
    assertThat(called).hasValue(11);
  }
}
