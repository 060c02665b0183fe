package holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a library is started and stopped. */
class LibraryLifecycleTest {
  private final List<String> happened = new ArrayList<>();
  private final LibraryLifecycle lifecycle =
      new LibraryLifecycle("the shop", () -> happened.add("start"), () -> happened.add("stop"));

  @Test
  void itStartsAndStopsWhatItWasGiven() {
    assertThat(lifecycle.isRunning()).isFalse();
    lifecycle.start();
    assertThat(lifecycle.isRunning()).isTrue();
    lifecycle.stop();

    assertThat(lifecycle.isRunning()).isFalse();
    assertThat(happened).containsExactly("start", "stop");
  }

  @Test
  void whatWasStoppedCannotBeStartedAgain() {
    lifecycle.start();
    lifecycle.stop();

    assertThatIllegalStateException()
        .isThrownBy(lifecycle::start)
        .withMessageContainingAll("the shop must not have been stopped", "make a new one");
    assertThat(happened).containsExactly("start", "stop");
  }

  @Test
  void itStopsAfterTheWebServerAndIsNotPaused() {
    assertThat(lifecycle.getPhase()).isLessThan(Integer.MAX_VALUE - 2048);
    assertThat(lifecycle.isPauseable()).isFalse();
    assertThat(lifecycle.isAutoStartup()).isTrue();
  }

  @Test
  void whatCannotStartIsNotRunning() {
    LibraryLifecycle broken =
        new LibraryLifecycle(
            "the shop",
            () -> {
              throw new IllegalStateException("no");
            },
            () -> {});

    assertThatIllegalStateException().isThrownBy(broken::start).withMessage("no");
    assertThat(broken.isRunning()).isFalse();
  }
}
