package tracer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tracer.sink.DataLoss;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;

/** What happens when more events come than can be written, with exact counts. */
class EdgeCasesTest extends TracerFixture {

  @Nested
  class SustainedOverload {

    @Test
    void theOldestRingIsTakenBackAndTheNewestEventsAreKept() throws InterruptedException {
      Tracer tracer = stopped();
      record(tracer, 0, 100);

      assertThat(dropped(tracer, Lane.INDEX, DropReason.POOL_EXHAUSTED)).isEqualTo(60);
      assertThat(lane(tracer, Lane.INDEX).eventsDropped()).isEqualTo(60);
      assertThat(lane(tracer, Lane.INDEX).poolExhaustedCount()).isEqualTo(6);
      assertThat(lane(tracer, Lane.INDEX).poolFreeMinimum()).isZero();
      assertThat(tracer.ledger().held()).isEqualTo(40);

      tracer.start();
      flush(tracer);
      assertThat(sink.firstValues(Lane.INDEX)).isEqualTo(range(60, 100));
      assertThat(tracer.ledger().toLine())
          .isEqualTo(
              "tracer accepted=100 delivered=40 held=0 lost=60(POOL_EXHAUSTED=60) unaccounted=0");
    }

    @Test
    void normalOperationResumesByItself() throws InterruptedException {
      Tracer tracer = stopped();
      record(tracer, 0, 100);
      tracer.start();
      flush(tracer);
      for (int round = 0; round < 20; round++) {
        record(tracer, 100 + 40L * round, 40);
        flush(tracer);
      }

      assertThat(lane(tracer, Lane.INDEX).eventsDropped()).isEqualTo(60);
      assertThat(lane(tracer, Lane.INDEX).poolFree()).isEqualTo(3);
      assertThat(sink.firstValues(Lane.INDEX)).isEqualTo(range(60, 900));
    }

    @Test
    void theSinkIsGivenMarksWithCountReasonAndTime() throws InterruptedException {
      Tracer tracer = stopped();
      for (int i = 0; i < 60; i++) {
        time.advance(Duration.ofMillis(1));
        record(tracer, i, 1);
      }
      tracer.start();
      flush(tracer);

      long start = sink.events().get(0).time() - Duration.ofMillis(21).toNanos();
      assertThat(sink.losses())
          .containsExactly(
              new DataLoss(
                  Lane.INDEX,
                  DropReason.POOL_EXHAUSTED,
                  20,
                  start + Duration.ofMillis(1).toNanos(),
                  start + Duration.ofMillis(21).toNanos(),
                  Thread.currentThread().getId(),
                  Thread.currentThread().getName()));
    }

    /** A thread that is not looked for where the current one is, so it never has to share. */
    private static Thread withRingOfItsOwn(Runnable work, String name) {
      Thread thread = new Thread(work, name);
      while ((thread.getId() - Thread.currentThread().getId()) % 16 == 0) {
        thread = new Thread(work, name);
      }
      return thread;
    }

    @Test
    void eachThreadThatLostEventsHasMarksOfItsOwn() throws InterruptedException {
      Tracer tracer = stopped(settings -> settings.producers(2).peakRate(80));
      record(tracer, 0, 200);
      Thread other = withRingOfItsOwn(() -> record(tracer, 1000, 100), "another");
      other.start();
      other.join();
      tracer.start();
      flush(tracer);

      assertThat(sink.losses())
          .extracting(DataLoss::threadName, DataLoss::threadId)
          .containsExactlyInAnyOrder(
              tuple(Thread.currentThread().getName(), Thread.currentThread().getId()),
              tuple("another", other.getId()));
      assertThat(sink.losses().stream().mapToLong(DataLoss::count).sum())
          .isEqualTo(tracer.ledger().lost());
    }

    @Test
    void whoHasNoRingToTakeBackTakesOneOfTheThreadThatHasMost() throws InterruptedException {
      Tracer tracer = stopped(settings -> settings.producers(2).peakRate(80));
      record(tracer, 0, 75); // 7 rings sealed, one in use: all there are
      onAnotherThread(() -> record(tracer, 1000, 5));

      assertThat(dropped(tracer, Lane.INDEX, DropReason.POOL_EXHAUSTED)).isEqualTo(10);
      tracer.start();
      flush(tracer);
      List<Long> expected = new ArrayList<>(range(10, 75));
      expected.addAll(range(1000, 1005));
      assertThat(sink.firstValues(Lane.INDEX)).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void overloadOfOneThreadLeavesTheEventsOfOthersAlone() throws InterruptedException {
      Tracer tracer = stopped(settings -> settings.producers(2).peakRate(80));
      onAnotherThread(() -> record(tracer, 1000, 15));
      record(tracer, 0, 1000);
      tracer.start();
      flush(tracer);

      assertThat(sink.firstValues(Lane.INDEX)).containsAll(range(1000, 1015));
      assertThat(tracer.ledger().lost()).isEqualTo(1000 - 60);
    }
  }

  @Nested
  class EncoderLag {

    @Test
    void aFullQueueDropsWithItsOwnReasonAndNobodyWaits() throws InterruptedException {
      Tracer tracer = stopped(settings -> settings.submitQueueCapacity(2));
      record(tracer, 0, 100);

      assertThat(tracer.metrics().submitQueueSize()).isEqualTo(2);
      assertThat(dropped(tracer, Lane.INDEX, DropReason.ENCODER_LAG)).isEqualTo(70);
      assertThat(tracer.ledger().lost()).isEqualTo(70);
      tracer.start();
      flush(tracer);
      assertThat(sink.firstValues(Lane.INDEX)).isEqualTo(range(70, 100));
      assertThat(tracer.metrics().submitQueueSize()).isZero();
    }

    @Test
    void aRingThatFoundNoPlaceInTheQueueIsNotLeaked() throws InterruptedException {
      Tracer tracer = stopped(settings -> settings.submitQueueCapacity(1));
      record(tracer, 0, 1000);
      tracer.start();
      flush(tracer);

      assertThat(lane(tracer, Lane.INDEX).poolFree()).isEqualTo(3);
      assertThat(tracer.metrics().submitQueueSize()).isZero();
      assertThat(balanced(tracer).held()).isZero();
    }

    @Test
    void aWriteThatTakesTooLongIsTheReason() throws InterruptedException {
      sink.hang();
      Tracer tracer = started(settings -> settings.diskSlowAfter(Duration.ofSeconds(1)));
      record(tracer, 0, 11);
      Eventually.await("the sink hangs", sink::isHanging);
      record(tracer, 11, 39); // all four rings are full: one with the sink
      time.advance(Duration.ofMillis(900));
      record(tracer, 50, 10);
      assertThat(dropped(tracer, Lane.INDEX, DropReason.POOL_EXHAUSTED)).isEqualTo(10);
      assertThat(dropped(tracer, Lane.INDEX, DropReason.ENCODER_LAG)).isEqualTo(10);
      time.advance(Duration.ofMillis(101));
      record(tracer, 60, 10);

      assertThat(dropped(tracer, Lane.INDEX, DropReason.DISK_SLOW)).isEqualTo(10);
      sink.goOn();
      flush(tracer);
      assertThat(balanced(tracer).lost()).isEqualTo(30);
    }

    @Test
    void aSinkThatTakesLessThanThePeakRateIsTheReasonAlsoOfIndexEventsAloneWithDefaults() {
      sink.hang();
      Tracer tracer =
          Tracer.builder(sink).time(time).captureCrashes(false).registerShutdownHook(false).build();
      tracer.start();
      record(tracer, 0, 200_000);
      Eventually.await("the sink hangs", sink::isHanging);
      time.advance(Duration.ofMillis(500)); // in which half a million events come at the peak rate
      record(tracer, 0, 400_000);

      assertThat(dropped(tracer, Lane.INDEX, DropReason.ENCODER_LAG)).isPositive();
      assertThat(lane(tracer, Lane.INDEX).eventsDropped())
          .isEqualTo(dropped(tracer, Lane.INDEX, DropReason.ENCODER_LAG));
      sink.goOn();
      tracer.close();
      assertThat(tracer.ledger().isAccountedFor()).isTrue();
    }

    @Test
    void moreThanThePeakRateIsNotTheEncodersFault() throws InterruptedException {
      sink.hang();
      Tracer tracer = started();
      record(tracer, 0, 11);
      Eventually.await("the sink hangs", sink::isHanging);
      time.advance(Duration.ofMillis(249)); // at the peak rate a ring takes 250
      record(tracer, 11, 100);
      assertThat(dropped(tracer, Lane.INDEX, DropReason.ENCODER_LAG)).isZero();
      time.advance(Duration.ofMillis(251));
      record(tracer, 111, 10);
      assertThat(dropped(tracer, Lane.INDEX, DropReason.ENCODER_LAG)).isEqualTo(10);

      sink.goOn();
      flush(tracer); // from now on it is fast enough
      record(tracer, 0, 40);
      flush(tracer);
      assertThat(dropped(tracer, Lane.INDEX, DropReason.ENCODER_LAG)).isEqualTo(10);
    }

    @Test
    void timeForEncodingIsNotTimeOfTheDisk() throws InterruptedException {
      CountDownLatch encoding = new CountDownLatch(1);
      CountDownLatch encoded = new CountDownLatch(1);
      CountDownLatch writing = new CountDownLatch(1);
      CountDownLatch written = new CountDownLatch(1);
      TraceSink slow =
          new TraceSink() {
            @Override
            public void encode(TraceBatch batch) {
              encoding.countDown();
              await(encoded);
            }

            @Override
            public void write(TraceBatch batch) {
              writing.countDown();
              await(written);
            }
          };
      Tracer tracer =
          Tracer.builder(slow)
              .time(time)
              .producers(1)
              .peakRate(40)
              .burstWindow(Duration.ofSeconds(1))
              .largestDetail(100)
              .captureCrashes(false)
              .registerShutdownHook(false)
              .build();
      tracer.start();
      record(tracer, 0, 11);
      await(encoding);
      time.advance(Duration.ofSeconds(2));
      record(tracer, 0, 39);
      assertThat(dropped(tracer, Lane.INDEX, DropReason.ENCODER_LAG)).isEqualTo(10);
      encoded.countDown();
      await(writing);
      time.advance(Duration.ofMillis(999));
      record(tracer, 0, 10);
      assertThat(dropped(tracer, Lane.INDEX, DropReason.DISK_SLOW)).isZero();
      time.advance(Duration.ofMillis(2));
      record(tracer, 0, 10);
      assertThat(dropped(tracer, Lane.INDEX, DropReason.DISK_SLOW)).isEqualTo(10);
      written.countDown();
      tracer.close();
      assertThat(tracer.ledger().isAccountedFor()).isTrue();
    }

    private static void await(CountDownLatch latch) {
      try {
        assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Test
    void aSinkThatFailsIsTriedAgainAndLosesNothingThatFits() throws InterruptedException {
      sink.fail(true);
      Tracer tracer = started();
      record(tracer, 0, 40);
      Eventually.await(
          "a warning", () -> log.messages(Level.WARNING).toString().contains("sink failed"));
      record(tracer, 40, 10);
      assertThat(dropped(tracer, Lane.INDEX, DropReason.DISK_SLOW)).isEqualTo(10);

      sink.fail(false);
      Eventually.await(
          "everything is written",
          () -> {
            time.advance(Duration.ofSeconds(1));
            return tracer.ledger().held() == 0;
          });
      // The ring that the drain had in hand could not be taken back.
      assertThat(sink.firstValues(Lane.INDEX)).hasSize(40).endsWith(49L);
      Eventually.await(
          "it is said", () -> log.messages(Level.INFO).toString().contains("works again"));
    }
  }
}
