package holdfast.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

class ThreadsTest {

  @Test
  void daemonsAreNamedAndCounted() {
    ThreadFactory factory = Threads.daemon("outbox-worker");
    Thread first = factory.newThread(() -> {});
    Thread second = factory.newThread(() -> {});
    assertThat(first.getName()).isEqualTo("outbox-worker-1");
    assertThat(second.getName()).isEqualTo("outbox-worker-2");
    assertThat(first.isDaemon()).isTrue();
    assertThat(first.getState()).isEqualTo(Thread.State.NEW);
  }

  @Test
  void virtualThreadsAreUsedWhereTheJdkHasThem() throws Exception {
    ThreadFactory factory = Threads.virtualIfAvailable("sender");
    Thread first = factory.newThread(() -> {});
    assertThat(first.getName()).isEqualTo("sender-1");
    assertThat(factory.newThread(() -> {}).getName()).isEqualTo("sender-2");
    assertThat(first.isDaemon()).isTrue();
    assertThat(isVirtual(first)).isEqualTo(Threads.virtualAvailable());
    assertThat(Threads.virtualAvailable()).isEqualTo(Runtime.version().feature() >= 21);
  }

  private static boolean isVirtual(Thread thread) throws ReflectiveOperationException {
    return Runtime.version().feature() >= 21
        && (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
  }
}
