package tracer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.lifecycle.CloseReport;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;
import tracer.sink.TraceStart;

/** Rings that are not full are written too: after a while, on request, and on close. */
class FlushTest extends TracerFixture {

  @Test
  void aPartlyFilledRingIsWrittenWhenTheIntervalHasPassed() throws InterruptedException {
    Tracer tracer = started(settings -> settings.flushInterval(Duration.ofMillis(100)));
    time.awaitSleepers(2);
    record(tracer, 0, 3);
    assertThat(sink.events()).isEmpty();
    time.advance(Duration.ofMillis(100));

    Eventually.await("three events", () -> sink.events().size() == 3);
    assertThat(balanced(tracer).held()).isZero();
  }

  @Test
  void theRestOfARingFollowsItsBeginningInOrder() throws InterruptedException {
    Tracer tracer = started();
    for (int i = 0; i < 100; i++) {
      record(tracer, i, 1);
      tracer.detail().record(NOTE, "n" + i);
      if (i % 7 == 0) {
        flush(tracer);
      }
    }
    flush(tracer);

    assertThat(sink.firstValues(Lane.INDEX)).isEqualTo(range(0, 100));
    assertThat(sink.texts(Lane.DETAIL))
        .isEqualTo(range(0, 100).stream().map(i -> "n" + i).toList());
    assertThat(tracer.ledger().lost()).isZero();
  }

  @Test
  void itEndsAlsoWhileMoreIsRecordedThanTheSinkTakes() throws InterruptedException {
    Feedback feedback = new Feedback();
    Tracer tracer =
        Tracer.builder(feedback)
            .time(time)
            .producers(4)
            .peakRate(160)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(100)
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    feedback.tracer = tracer;
    tracer.start();
    try {
      for (int i = 0; i < 20; i++) {
        tracer.detail().record(NOTE, "n" + i);
        flush(tracer);
        assertThat(feedback.lastNote).isEqualTo("n" + i);
      }
    } finally {
      feedback.tracer = null;
      tracer.close();
    }
    assertThat(tracer.ledger().isAccountedFor()).isTrue();
    assertThat(lane(tracer, Lane.INDEX).eventsDropped()).isPositive();
  }

  /** A sink for which two rings are filled while it takes one. */
  private static final class Feedback implements TraceSink {
    private volatile @Nullable Tracer tracer;
    private volatile String lastNote = "";

    @Override
    public void write(TraceBatch batch) {
      while (batch.next()) {
        byte[] bytes = new byte[batch.length()];
        batch.copyBytes(bytes, 0);
        lastNote = batch.lane() == Lane.DETAIL ? new String(bytes, UTF_8) : lastNote;
      }
      Tracer more = tracer;
      if (more != null) {
        record(more, 0, 20);
      }
    }
  }

  @Test
  void copiedEventsLeaveTheirRoomToNewOnes() throws InterruptedException {
    Tracer tracer = stopped();
    tracer.start();
    record(tracer, 0, 7);
    flush(tracer);
    sink.hang();
    try {
      record(tracer, 7, 40); // as many as the lane holds
      assertThat(tracer.ledger().lost()).isZero();
    } finally {
      sink.goOn();
    }
    flush(tracer);
    assertThat(sink.firstValues(Lane.INDEX)).isEqualTo(range(0, 47));
  }

  @Test
  void theSinkIsFlushedOnceForWhatItWasGiven() throws InterruptedException {
    Tracer tracer = started();
    record(tracer, 0, 3);
    flush(tracer);
    flush(tracer);

    assertThat(sink.flushes()).isEqualTo(1);
  }

  @Test
  void closingWritesWhatIsLeftAndReports() {
    Tracer tracer = started();
    record(tracer, 0, 25);
    note(tracer, 0, 2);
    tracer.critical().record(CRASH, "why");
    CloseReport report = close(tracer);

    assertThat(report.isClean()).isTrue();
    assertThat(tracer.ledger().held()).isZero();
    assertThat(tracer.ledger().lost()).isZero();
    assertThat(tracer.ledger().delivered()).isEqualTo(28);
    assertThat(sink.isClosed()).isTrue();
    assertThat(log.messages(Level.INFO))
        .contains("tracer closed tracer accepted=28 delivered=28 held=0 lost=0 unaccounted=0");
    assertThat(close(tracer)).isEqualTo(report);
  }

  @Test
  void closingATracerThatWasNeverStartedWritesToo() {
    Tracer tracer = stopped();
    record(tracer, 0, 25);

    assertThat(closed(tracer).ledger().delivered()).isEqualTo(25);
    assertThatThrownBy(tracer::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Tracer is closed");
  }

  @Test
  void whatASinkThatFailsLeavesAtTheEndIsCountedAsDropped() throws InterruptedException {
    sink.fail(true);
    Tracer tracer = started(settings -> settings.closeTimeout(Duration.ofMillis(300)));
    record(tracer, 0, 25);
    note(tracer, 0, 1);
    CloseReport report = close(tracer);

    assertThat(report.isClean()).isTrue();
    assertThat(tracer.ledger().toLine())
        .isEqualTo("tracer accepted=26 delivered=0 held=0 lost=26(DISK_SLOW=26) unaccounted=0");
  }

  @Test
  void whatASinkThatNeverOpenedLeavesIsCountedAsDropped() {
    TraceSink closed =
        new TraceSink() {
          @Override
          public void open(TraceStart start) throws IOException {
            throw new IOException("told to fail");
          }

          @Override
          public void write(TraceBatch batch) {
            throw new AssertionError("not open");
          }
        };
    Tracer tracer =
        Tracer.builder(closed)
            .time(time)
            .producers(1)
            .peakRate(40)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(100)
            .closeTimeout(Duration.ofMillis(100))
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    tracer.start();
    record(tracer, 0, 25);
    CloseReport report = close(tracer);

    assertThat(tracer.ledger().toLine())
        .isEqualTo("tracer accepted=25 delivered=0 held=0 lost=25(DISK_SLOW=25) unaccounted=0");
  }

  @Test
  void aSinkThatHangsDoesNotKeepCloseForever() {
    sink.hang();
    Tracer tracer = started(settings -> settings.closeTimeout(Duration.ZERO));
    record(tracer, 0, 11);
    Eventually.await("the sink hangs", sink::isHanging);
    CloseReport report = close(tracer);

    // It was interrupted; whether it had noticed when the report was made is chance.
    assertThat(tracer.ledger().delivered()).isZero();
    assertThat(tracer.ledger().held() + tracer.ledger().lost()).isEqualTo(11);
  }

  @Test
  void anInterruptedCallerDoesNotWaitAndStaysInterrupted() {
    sink.fail(true);
    Tracer tracer = started(settings -> settings.closeTimeout(Duration.ofHours(1)));
    record(tracer, 0, 25);
    Thread.currentThread().interrupt();
    CloseReport report = close(tracer);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(tracer.ledger().delivered()).isZero();
    assertThat(tracer.ledger().held() + tracer.ledger().lost()).isEqualTo(25);
  }

  @Test
  void flushingWithoutADrainSaysSo() throws InterruptedException {
    Tracer tracer = stopped();
    assertThat(tracer.flush(Duration.ofSeconds(1))).isFalse();
    tracer.start();
    assertThat(tracer.flush(SOON)).isTrue();
    tracer.close();
    assertThat(tracer.flush(Duration.ofSeconds(1))).isFalse();
  }

  @Test
  void thereIsOneClock() throws InterruptedException {
    Tracer tracer = started();
    record(tracer, 0, 1);
    time.setInstant(time.instant().plus(Duration.ofDays(400))); // somebody sets the time of day
    record(tracer, 1, 1);
    time.advance(Duration.ofNanos(5));
    record(tracer, 2, 1);
    flush(tracer);

    long first = sink.events().get(0).time();
    assertThat(sink.events()).extracting(e -> e.time() - first).containsExactly(0L, 0L, 5L);
  }
}
