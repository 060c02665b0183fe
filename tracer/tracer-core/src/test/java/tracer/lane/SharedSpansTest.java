package tracer.lane;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tracer.Lane;
import tracer.TraceEvent;
import tracer.TraceSpan;

/** Spans that threads begin which share rings, and never end. */
@Timeout(60)
class SharedSpansTest {
  private static final int MOST = 4;
  private static final int EVENT = TraceEvent.named("shared.span").id();

  private final CapturedLog log = new CapturedLog("tracer");
  private final SettableTime time = new SettableTime();
  private final HandOverModelTest.Lanes lanes = new HandOverModelTest.Lanes(40);
  private final Producers producers = new Producers(1, 1, lanes.allocator, time, SlowSpans.NONE);
  private final Recording recording = new Recording(producers, time, new SharedSpans(MOST));
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<Thread> open = new ArrayList<>();

  SharedSpansTest() {
    recording.none(EVENT); // this thread takes the only producer
  }

  @AfterEach
  void endThreads() throws InterruptedException {
    end.countDown();
    for (Thread thread : open) {
      thread.join();
    }
    log.close();
  }

  private long recorded() {
    return producers.recorded(Lane.INDEX) - 1;
  }

  private void onAnotherThread(Runnable work) throws InterruptedException {
    Thread thread = new Thread(work);
    thread.start();
    thread.join();
  }

  private void begin() {
    recording.begin(EVENT, 0, 0, 0, 0, 0);
  }

  /** Begins a span on a thread that goes on. */
  private void beginAndStay() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              begin();
              begun.countDown();
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.start();
    open.add(thread);
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void threadsThatEndWithoutEndingTheirSpansKeepNobodyFromRecording() throws InterruptedException {
    for (int i = 0; i < 3 * MOST; i++) {
      onAnotherThread(this::begin);
    }
    onAnotherThread(
        () -> {
          begin();
          recording.end(EVENT);
        });

    assertThat(recorded()).isEqualTo(3 * MOST + 2);
    assertThat(lanes.drops.of(Lane.INDEX)).isZero();
    assertThat(log.messages(Level.WARNING)).isEmpty();
  }

  @Test
  void ofMoreThreadsThanThereMayBeSpansAreCountedAsDroppedAndThatIsLoggedOnce()
      throws InterruptedException {
    for (int i = 0; i < MOST; i++) {
      beginAndStay();
    }
    onAnotherThread(this::begin);
    onAnotherThread(
        () -> {
          begin();
          recording.end(EVENT);
        });

    assertThat(recorded()).isEqualTo(MOST + 2);
    assertThat(lanes.drops.of(Lane.INDEX)).isEqualTo(2);
    assertThat(log.messages(Level.WARNING))
        .containsExactly(
            "tracer does not record begin(event) on further threads: 4 threads that share rings"
                + " have spans open; end each span with end(event), or use try (TraceSpan span ="
                + " tracer.index().span(event)) in place of begin");

    endThreadsThatAreOpen();
    time.advance(Duration.ofSeconds(1));
    onAnotherThread(this::begin);
    assertThat(lanes.drops.of(Lane.INDEX)).isEqualTo(2);
  }

  @Test
  void spansLeftOpenAreForgottenWhenTheOuterOneIsClosed() throws InterruptedException {
    SharedSpans spans = new SharedSpans(MOST);
    Recording other = new Recording(producers, time, spans);
    int[] left = new int[1];
    onAnotherThread(
        () -> {
          for (int i = 0; i < 10; i++) {
            TraceSpan outer = other.span(EVENT);
            other.begin(EVENT, 0, 0, 0, 0, 0);
            outer.close();
          }
          left[0] = Objects.requireNonNull(spans.of(Thread.currentThread(), time)).size();
        });

    assertThat(left[0]).isZero();
    assertThat(recorded()).isEqualTo(10 * 4);
  }

  private void endThreadsThatAreOpen() throws InterruptedException {
    end.countDown();
    for (Thread thread : open) {
      thread.join();
    }
  }
}
