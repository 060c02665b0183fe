package tracer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import holdfast.lifecycle.CloseReport;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import tracer.sink.DataLoss;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;
import tracer.sink.TraceStart;

/** Closing while the sink is slow, hangs or fails: the rest is dropped, and nothing goes on. */
class CloseTest extends TracerFixture {
  private static final Duration SHORT = Duration.ofMillis(100);

  /** Writes only as often as it is allowed to, and takes no notice of interrupts. */
  private static final class SlowSink implements TraceSink {
    final Semaphore allowed = new Semaphore(0);
    final AtomicInteger writes = new AtomicInteger();
    final AtomicInteger closes = new AtomicInteger();
    final List<DataLoss> losses = new ArrayList<>();

    @Override
    public void write(TraceBatch batch) {
      writes.incrementAndGet();
      allowed.acquireUninterruptibly();
    }

    @Override
    public synchronized void lost(DataLoss loss) {
      losses.add(loss);
    }

    @Override
    public void close() {
      closes.incrementAndGet();
    }
  }

  private Tracer onSink(TraceSink other, TracerLifecycleListener listener) {
    Tracer tracer =
        Tracer.builder(other)
            .time(time)
            .producers(1)
            .peakRate(40)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(LARGEST)
            .emergencyFile(directory.resolve("emergency.log"))
            .closeTimeout(SHORT)
            .lifecycleListener(listener)
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    tracer.start();
    return tracer;
  }

  private Tracer onSink(TraceSink other) {
    return onSink(other, new TracerLifecycleListener() {});
  }

  /** Cannot be opened, as a directory that is a file. */
  private static final class ClosedSink implements TraceSink {
    @Override
    public void open(TraceStart start) throws IOException {
      throw new IOException("cannot be opened");
    }

    @Override
    public void write(TraceBatch batch) {
      throw new AssertionError("written to although it is not open");
    }
  }

  @Test
  void aSinkThatFailsIsNotWaitedForWhenNothingIsHeld() {
    Tracer tracer = onSink(new ClosedSink());
    CloseReport report = assertTimeout(Duration.ofSeconds(10), () -> tracer.close(SOON));

    assertThat(report.isClean()).isTrue();
    assertThat(log.messages(Level.WARNING))
        .containsExactly("tracer sink failed; events stay in memory and it is tried again");
    assertThat(balanced(tracer).accepted()).isZero();
  }

  @Test
  void aSinkThatFailsIsWaitedForWhileEventsAreHeld() {
    Tracer tracer = onSink(new ClosedSink());
    record(tracer, 0, 3);
    close(tracer);

    assertThat(dropped(tracer, Lane.INDEX, DropReason.DISK_SLOW)).isEqualTo(3);
    assertThat(balanced(tracer).isAccountedFor()).isTrue();
  }

  @Test
  void whatASlowSinkHasNotTakenIsDroppedAndTheSinkClosedWhenItAnswers() {
    SlowSink slow = new SlowSink();
    Tracer tracer = onSink(slow);
    record(tracer, 0, 40);
    note(tracer, 0, 1);
    Eventually.await("the first ring is being written", () -> slow.writes.get() == 1);
    CloseReport report = close(tracer);

    assertThat(report.stillRunning()).isEqualTo(1);
    assertThat(tracer.ledger().held()).isEqualTo(10); // what the sink has
    assertThat(tracer.ledger().lost()).isEqualTo(31);
    assertThat(slow.closes.get()).isZero();

    slow.allowed.release(100);
    Eventually.await("the sink is closed", () -> slow.closes.get() == 1);
    assertThat(slow.writes.get()).isEqualTo(1);
    assertThat(tracer.ledger().toLine())
        .isEqualTo("tracer accepted=41 delivered=10 held=0 lost=31(DISK_SLOW=31) unaccounted=0");
    assertThat(slow.losses).extracting(DataLoss::count).containsExactlyInAnyOrder(30L, 1L);
  }

  @Test
  void whatASinkTakesInTimeIsNotDropped() {
    SlowSink slow = new SlowSink();
    Tracer tracer = onSink(slow);
    record(tracer, 0, 25);
    slow.allowed.release(100);
    CloseReport report = close(tracer);

    assertThat(report.isClean()).isTrue();
    assertThat(tracer.ledger().delivered()).isEqualTo(25);
    assertThat(slow.closes.get()).isEqualTo(1);
  }

  @Test
  void whoWaitsForAFlushIsToldWhenTheTracerIsClosed() throws InterruptedException {
    SlowSink slow = new SlowSink();
    Tracer tracer = onSink(slow);
    record(tracer, 0, 11);
    AtomicReference<Boolean> flushed = new AtomicReference<>();
    CountDownLatch done = new CountDownLatch(1);
    Thread waiting =
        new Thread(
            () -> {
              try {
                flushed.set(tracer.flush(Duration.ofHours(1)));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              done.countDown();
            });
    waiting.start();
    Eventually.await("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
    tracer.close();
    slow.allowed.release(100);

    done.await();
    assertThat(flushed.get()).isFalse();
  }

  @Test
  void aSinkThatFailsWithErrorsIsClosedOnce() {
    AtomicInteger closes = new AtomicInteger();
    AtomicInteger failures = new AtomicInteger();
    TraceSink erring =
        new TraceSink() {
          @Override
          public void write(TraceBatch batch) {
            throw new LinkageError("told to fail");
          }

          @Override
          public void close() {
            closes.incrementAndGet();
            throw new LinkageError("told to fail");
          }
        };
    Tracer tracer =
        onSink(
            erring,
            new TracerLifecycleListener() {
              @Override
              public void sinkFailed(Exception cause) {
                failures.incrementAndGet();
              }
            });
    record(tracer, 0, 25);
    Eventually.await("the failure is told", () -> failures.get() == 1);
    CloseReport report = close(tracer);

    assertThat(tracer.ledger().toLine())
        .isEqualTo("tracer accepted=25 delivered=0 held=0 lost=25(DISK_SLOW=25) unaccounted=0");
    assertThat(closes.get()).isEqualTo(1);
  }

  @Test
  void aListenerMayCloseTheTracerThatTellsIt() {
    AtomicReference<Tracer> tracer = new AtomicReference<>();
    AtomicInteger closes = new AtomicInteger();
    TraceSink failing =
        new TraceSink() {
          @Override
          public void write(TraceBatch batch) throws IOException {
            throw new IOException("told to fail");
          }

          @Override
          public void close() {
            closes.incrementAndGet();
          }
        };
    AtomicReference<CloseReport> report = new AtomicReference<>();
    tracer.set(
        onSink(
            failing,
            new TracerLifecycleListener() {
              @Override
              public void sinkFailed(Exception cause) {
                report.set(close(tracer.get()));
              }
            }));
    record(tracer.get(), 0, 25);

    Eventually.await("it was closed", () -> report.get() != null);
    assertThat(report.get().stillRunning()).isEqualTo(1);
    time.advance(SHORT.plusMillis(1)); // for what is left
    Eventually.await("the sink is closed", () -> closes.get() == 1);
    assertThat(tracer.get().ledger().toLine())
        .isEqualTo("tracer accepted=25 delivered=0 held=0 lost=25(DISK_SLOW=25) unaccounted=0");
  }

  @Test
  void aSinkMayThrowWhatItDoesNotDeclare() {
    AtomicInteger failures = new AtomicInteger();
    TraceSink sneaky =
        new TraceSink() {
          @Override
          public void write(TraceBatch batch) {
            throw CloseTest.<RuntimeException>undeclared(new Exception("told to fail"));
          }
        };
    Tracer tracer =
        onSink(
            sneaky,
            new TracerLifecycleListener() {
              @Override
              public void sinkFailed(Exception cause) {
                failures.incrementAndGet();
              }
            });
    record(tracer, 0, 25);
    Eventually.await("the failure is told", () -> failures.get() == 1);

    assertThat(closed(tracer).ledger().lost()).isEqualTo(25);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> E undeclared(Exception e) {
    return (E) e;
  }

  @Test
  void whoClosesItMeanwhileWaitsForTheFirstAndGetsTheSameReport() throws Exception {
    SlowSink slow = new SlowSink();
    Tracer tracer = onSink(slow);
    record(tracer, 0, 11);
    Eventually.await("it is being written", () -> slow.writes.get() == 1);
    assertThat(
            Together.callBoth(
                () -> tracer.close(Duration.ofSeconds(60)), () -> slow.allowed.release(100)))
        .containsOnly(CloseReport.CLEAN);
    assertThat(slow.closes.get()).isEqualTo(1);
  }

  @Test
  void whoClosesWhileAnotherDoesIsNotToldThatItIsDone() throws InterruptedException {
    SlowSink slow = new SlowSink();
    Tracer tracer = onSink(slow);
    record(tracer, 0, 11);
    Eventually.await("it is being written", () -> slow.writes.get() == 1);
    Thread first = new Thread(tracer::close);
    first.start();
    Eventually.await(
        "it waits, or has waited",
        () -> first.getState() == Thread.State.TIMED_WAITING || !first.isAlive());

    assertThat(close(tracer).stillRunning()).isEqualTo(1);
    slow.allowed.release(100);
    first.join();
  }
}
