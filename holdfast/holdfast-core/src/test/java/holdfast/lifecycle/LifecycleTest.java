package holdfast.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.Together;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LifecycleTest {
  private final Lifecycle life = new Lifecycle("OutboxPoller");

  @Test
  void isStartedOnceAndClosedOnce() {
    assertThat(life.isRunning()).isFalse();
    assertThat(life.isNew()).isTrue();
    assertThat(life.start()).isTrue();
    assertThat(life.start()).isFalse();
    assertThat(life.isRunning()).isTrue();
    assertThat(life.isNew()).isFalse();
    assertThat(life.isClosed()).isFalse();
    assertThat(life.close()).isTrue();
    assertThat(life.close()).isFalse();
    assertThat(life.isRunning()).isFalse();
    assertThat(life.isNew()).isFalse();
    assertThat(life.isClosed()).isTrue();
  }

  @Test
  void isNeverStartedAgain() {
    life.close();
    assertThatThrownBy(life::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("OutboxPoller is closed and cannot be started; make a new one");
    assertThat(life.isClosed()).isTrue();
  }

  @Test
  void tellsOneOfManyThreadsToDoTheWork() throws Exception {
    AtomicInteger starts = new AtomicInteger();
    AtomicInteger closes = new AtomicInteger();
    Together.run(
        8,
        thread -> {
          if (life.start()) {
            starts.incrementAndGet();
          }
        });
    Together.run(
        8,
        thread -> {
          if (life.close()) {
            closes.incrementAndGet();
          }
        });
    assertThat(starts).hasValue(1);
    assertThat(closes).hasValue(1);
  }
}
