package tracer.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The model of the hand-over with real threads that never rest. Its rings take one event each, so
 * writers take them back as fast as the drain looks at them: a ring that the drain has found may
 * have gone round before it takes it.
 */
@Timeout(3600)
class HandOverStressTest {
  private static final int RINGS = 8;
  private static final int SHORT = 200_000;
  private static final int LONG = 100_000_000;

  private static void run(int drains) throws InterruptedException {
    HandOverModelTest.Lanes lanes = new HandOverModelTest.Lanes(RINGS);
    List<Thread> writers = new ArrayList<>();
    for (Runnable write : List.<Runnable>of(lanes::writeFirst, lanes::writeSecond)) {
      writers.add(
          new Thread(
              () -> {
                while (!Thread.currentThread().isInterrupted()) {
                  write.run();
                }
              }));
    }
    writers.forEach(Thread::start);
    try {
      for (int i = 0; i < drains; i++) {
        assertThat(i % 8 == 0 ? lanes.flush() : lanes.drain()).as("drain " + i).isEqualTo("fine");
      }
    } finally {
      writers.forEach(Thread::interrupt);
      for (Thread writer : writers) {
        writer.join();
      }
    }
  }

  @Test
  void whatGoesRoundWhileTheDrainLooksStaysInOrder() throws InterruptedException {
    run(SHORT);
  }

  @Test
  @Tag("long")
  void whatGoesRoundWhileTheDrainLooksStaysInOrderForLong() throws InterruptedException {
    run(LONG);
  }
}
