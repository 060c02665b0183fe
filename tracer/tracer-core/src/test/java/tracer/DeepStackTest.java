package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.ledger.LedgerSnapshot;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Recording at the end of the stack, where any call may be the one for which there is no room. */
class DeepStackTest extends TracerFixture {
  private static final int DESCENTS = 20;
  private static final int DESCENTS_FOR_LONG = 1000;

  /** Every tenth call on the way up records; ten descents in a row record at each height once. */
  private static final int STEPS = 10;

  private static final Duration SHORT = Duration.ofMillis(1);
  private static final long SMALL_STACK = 256 * 1024;

  /** Goes down until the stack ends, and records on the way up from there. */
  @SuppressWarnings("InfiniteRecursion") // that it ends with an error is the point
  private static int overflow(int step, Runnable recording) {
    int height;
    try {
      height = overflow(step, recording) + 1;
    } catch (StackOverflowError e) {
      height = 0;
    }
    if (height < 600 && height % STEPS == step) {
      try {
        recording.run();
      } catch (StackOverflowError e) {
        return height;
      }
    }
    return height;
  }

  /** With the clock of the system; that of the other tests has a lock, which may be left locked. */
  private Tracer running() {
    return started(settings -> settings.time(TimeSource.system()).flushInterval(SHORT));
  }

  private void survives(Tracer tracer, Consumer<Tracer> recording) throws InterruptedException {
    survives(tracer, DESCENTS, recording);
  }

  private void survives(Tracer tracer, int descents, Consumer<Tracer> recording)
      throws InterruptedException {
    Thread thread =
        new Thread(
            null,
            () -> {
              for (int i = 0; i < descents; i++) {
                overflow(i % STEPS, () -> recording.accept(tracer));
              }
              recording.accept(tracer);
            },
            "deep",
            SMALL_STACK);
    thread.start();
    thread.join();

    for (int i = 0; i < 100; i++) {
      recording.accept(tracer);
    }
    flush(tracer);
    tracer.close();
    LedgerSnapshot ledger = tracer.ledger();
    assertThat(ledger.accepted()).isGreaterThan(100 + descents);
    assertThat(ledger.held()).isZero();
    assertThat(ledger.delivered() + ledger.lost()).isEqualTo(ledger.accepted());
  }

  @Test
  void anIndexEventOfAThreadWithRingsOfItsOwn() throws InterruptedException {
    survives(running(), tracer -> tracer.index().record(STEP, 1, 2));
  }

  @Test
  void anIndexEventOfAThreadThatShares() throws InterruptedException {
    Tracer tracer = running();
    record(tracer, 0, 1);
    survives(tracer, shared -> shared.index().record(STEP, 1, 2, 3));
  }

  private static void spans(Tracer tracer) {
    try (TraceSpan span = tracer.index().span(STEP, 1).flow(2)) {
      tracer.index().begin(NOTE, 3, 4);
      tracer.index().end(NOTE);
      assertThat(span).isNotNull();
    }
  }

  @Test
  void spansOfAThreadWithRingsOfItsOwn() throws InterruptedException {
    survives(running(), DeepStackTest::spans);
  }

  @Test
  void spansOfAThreadThatShares() throws InterruptedException {
    Tracer tracer = running();
    record(tracer, 0, 1);
    survives(tracer, DeepStackTest::spans);
  }

  @Test
  void aDetailEventOfAThreadWithRingsOfItsOwn() throws InterruptedException {
    survives(running(), tracer -> tracer.detail().record(NOTE, "a text of some length"));
  }

  @Test
  void aDetailEventOfAThreadThatShares() throws InterruptedException {
    Tracer tracer = running();
    record(tracer, 0, 1);
    survives(tracer, shared -> shared.detail().record(NOTE, large(1)));
  }

  @Test
  void aCriticalEvent() throws InterruptedException {
    survives(running(), tracer -> tracer.critical().record(CRASH, large(1)));
  }

  @Test
  void aCriticalEventThatGoesToTheEmergencyFile() throws InterruptedException {
    survives(
        running(), tracer -> tracer.critical().record(CRASH, "too large for a ring".repeat(100)));
  }

  @Test
  @Tag("long")
  @Timeout(3600)
  void eventsOfAllKindsForLong() throws InterruptedException {
    List<Consumer<Tracer>> kinds =
        List.of(
            tracer -> tracer.index().record(STEP, 1, 2),
            tracer -> tracer.detail().record(NOTE, "a text of some length"),
            tracer -> tracer.critical().record(CRASH, large(1)),
            tracer -> tracer.critical().record(CRASH, "too large for a ring".repeat(100)));
    for (Consumer<Tracer> kind : kinds) {
      survives(running(), DESCENTS_FOR_LONG, kind);
      Tracer shared = running();
      record(shared, 0, 1);
      survives(shared, DESCENTS_FOR_LONG, kind);
    }
  }
}
