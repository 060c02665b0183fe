package holdfast.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.Together;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class ClosingGateTest {
  private final ClosingGate gate = new ClosingGate();

  private static Deadline in(Duration budget) {
    return Deadline.after(budget, TimeSource.system());
  }

  @Test
  void letsCallsThroughUntilItIsClosed() {
    assertThat(gate.enter()).isTrue();
    assertThat(gate.enter()).isTrue();
    assertThat(gate.inside()).isEqualTo(2);
    assertThat(gate.isClosed()).isFalse();
    gate.close();
    assertThat(gate.isClosed()).isTrue();
    assertThat(gate.enter()).isFalse();
    assertThat(gate.inside()).isEqualTo(2);
  }

  @Test
  void isDrainedWhenTheLastCallHasLeft() throws InterruptedException {
    gate.enter();
    gate.enter();
    gate.close();
    gate.exit();
    assertThat(gate.isDrained()).isFalse();
    assertThat(gate.awaitDrained(in(Duration.ofMillis(1)))).isFalse();
    gate.exit();
    assertThat(gate.isDrained()).isTrue();
    assertThat(gate.awaitDrained(in(Duration.ZERO))).isTrue();
  }

  @Test
  void isDrainedAtOnceWhenNobodyIsInside() throws InterruptedException {
    assertThat(gate.isDrained()).isFalse();
    gate.close();
    assertThat(gate.isDrained()).isTrue();
    assertThat(gate.awaitDrained(in(Duration.ZERO))).isTrue();
  }

  @Test
  void isNotDrainedWhileItIsOpen() throws InterruptedException {
    gate.enter();
    gate.exit();
    assertThat(gate.isDrained()).isFalse();
    assertThat(gate.awaitDrained(in(Duration.ofMillis(1)))).isFalse();
  }

  @Test
  void isClosedByOneCallerOnly() {
    assertThat(gate.close()).isTrue();
    assertThat(gate.close()).isFalse();
  }

  @Test
  void refusesAnExitWithoutAnEnter() {
    assertThatThrownBy(gate::exit).isInstanceOf(IllegalStateException.class);
    gate.close();
    assertThatThrownBy(gate::exit).isInstanceOf(IllegalStateException.class);
    assertThat(gate.isDrained()).isTrue();
  }

  @Test
  void noCallIsInsideAfterItHasDrained() throws Exception {
    for (int round = 0; round < 300; round++) {
      ClosingGate contested = new ClosingGate();
      AtomicBoolean drained = new AtomicBoolean();
      LongAdder late = new LongAdder();
      Together.run(
          4,
          thread -> {
            if (thread == 0) {
              contested.close();
              assertThat(contested.awaitDrained(in(Duration.ofSeconds(30)))).isTrue();
              drained.set(true);
            } else {
              while (contested.enter()) {
                if (drained.get()) {
                  late.increment();
                }
                contested.exit();
              }
            }
          });
      assertThat(late.sum()).isZero();
    }
  }
}
