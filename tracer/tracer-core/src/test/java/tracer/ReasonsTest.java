package tracer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tracer.sink.DataLoss;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;

/** Each reason, and which of two wins; those of overload are in {@link EdgeCasesTest}. */
class ReasonsTest extends TracerFixture {

  @Test
  void theirCodesAreTheirNamesInOrderOfPrecedence() {
    assertThat(List.of(DropReason.values()))
        .extracting(DropReason::code)
        .containsExactly(
            "MEMORY_LIMIT", "DISK_SLOW", "ENCODER_LAG", "POOL_EXHAUSTED", "RING_FULL", "REPLACED");
  }

  @Test
  void aLaneThatWasRefusedRingsDropsForTheMemoryLimit() {
    // 4 + 3 + 2 rings of 528 bytes, and one for copies; the limit takes two of INDEX.
    Tracer tracer = stopped(settings -> settings.memoryLimit(8 * 528));
    record(tracer, 0, 20);
    assertThat(tracer.ledger().lost()).isZero();
    record(tracer, 20, 1);

    assertThat(dropped(tracer, Lane.INDEX, DropReason.MEMORY_LIMIT)).isEqualTo(10);
  }

  @Test
  void theMemoryLimitIsTheReasonEvenIfTheQueueIsFullToo() {
    Tracer tracer = stopped(settings -> settings.memoryLimit(8 * 528).submitQueueCapacity(1));
    record(tracer, 0, 50);

    assertThat(dropped(tracer, Lane.INDEX, DropReason.MEMORY_LIMIT)).isEqualTo(30);
    assertThat(dropped(tracer, Lane.INDEX, DropReason.ENCODER_LAG)).isZero();
  }

  @Test
  void aRingThatCannotBeSwappedOverwritesItsOwnOldestEvents() throws InterruptedException {
    Tracer tracer =
        stopped(
            settings -> settings.spareRings(Lane.INDEX, 1).peakRate(20).submitQueueCapacity(10));
    record(tracer, 0, 3);
    note(tracer, 0, 4); // three rings of its own and the spare one of INDEX
    record(tracer, 3, 20);

    assertThat(dropped(tracer, Lane.INDEX, DropReason.RING_FULL)).isEqualTo(13);
    assertThat(tracer.ledger().isAccountedFor()).isTrue();
    tracer.start();
    flush(tracer);
    assertThat(sink.firstValues(Lane.INDEX)).isEqualTo(range(13, 23));
    assertThat(sink.losses())
        .extracting(DataLoss::count, DataLoss::reason)
        .containsExactly(tuple(13L, DropReason.RING_FULL));

    // The ring that went round is used as before.
    record(tracer, 100, 35);
    flush(tracer);
    assertThat(sink.firstValues(Lane.INDEX)).endsWith(134L);
    assertThat(balanced(tracer).held()).isZero();
  }

  @Test
  void variableEventsAreOverwrittenOldestFirstToo() throws InterruptedException {
    Tracer tracer = stopped(settings -> settings.spareRings(Lane.DETAIL, 1));
    record(tracer, 0, 1);
    // Two rings of DETAIL and three of INDEX, all sealed but one; then critical takes the sealed.
    note(tracer, 0, 5);
    for (int i = 0; i < 6; i++) {
      tracer.critical().record(CRASH, large(i));
    }
    long before = lane(tracer, Lane.DETAIL).eventsDropped();
    for (int i = 0; i < 50; i++) {
      tracer.detail().record(NOTE, "n" + i + "y".repeat(i));
    }

    assertThat(dropped(tracer, Lane.DETAIL, DropReason.RING_FULL)).isPositive();
    assertThat(lane(tracer, Lane.DETAIL).eventsDropped()).isGreaterThan(before);
    assertThat(tracer.ledger().isAccountedFor()).isTrue();
    tracer.start();
    flush(tracer);
    List<String> kept = sink.texts(Lane.DETAIL);
    int first = 50 - kept.size();
    assertThat(kept.size()).isBetween(4, 8);
    assertThat(kept)
        .isEqualTo(range(first, 50).stream().map(i -> "n" + i + "y".repeat(i.intValue())).toList());
  }

  @Test
  void anEventLargerThanARingIsDroppedWhole() throws InterruptedException {
    Tracer tracer = started();
    tracer.detail().record(NOTE, "fits".repeat(94)); // 376 bytes: 3 + 47 words
    tracer.detail().record(NOTE, "x".repeat(377));
    tracer.detail().record(NOTE, "x".repeat(1_000_000));

    assertThat(dropped(tracer, Lane.DETAIL, DropReason.RING_FULL)).isEqualTo(2);
    flush(tracer);
    assertThat(sink.texts(Lane.DETAIL)).containsExactly("fits".repeat(94));
    assertThat(balanced(tracer).accepted()).isEqualTo(3);
  }

  @Test
  void afterClosingEventsAreCountedAsDropped() {
    Tracer tracer = started();
    record(tracer, 0, 5);
    tracer.close();
    record(tracer, 5, 3);
    tracer.detail().record(NOTE, "late");

    assertThat(tracer.ledger().toLine())
        .isEqualTo("tracer accepted=9 delivered=5 held=0 lost=4(RING_FULL=4) unaccounted=0");
  }

  @Test
  void theNewestEventIsNeverRejectedForAFullRing() throws InterruptedException {
    Tracer tracer = stopped();
    for (int i = 0; i < 1000; i++) {
      record(tracer, i, 1);
    }
    tracer.start();
    flush(tracer);

    assertThat(sink.firstValues(Lane.INDEX)).endsWith(999L).isSorted();
    assertThat(tracer.ledger().held()).isZero();
  }

  /** Encodes always; its first write fails, and the next one hangs. */
  private static final class FailingDisk implements TraceSink {
    final AtomicInteger writes = new AtomicInteger();
    final CountDownLatch gate = new CountDownLatch(1);

    @Override
    public void encode(TraceBatch batch) {}

    @Override
    public void write(TraceBatch batch) throws IOException {
      if (writes.incrementAndGet() == 1) {
        throw new IOException("told to fail");
      }
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IOException("interrupted", e);
      }
    }
  }

  @Test
  void aDiskThatHasFailedIsSlowUntilAWriteHasSucceededHoweverWellItIsEncoded() {
    FailingDisk disk = new FailingDisk();
    Tracer tracer =
        Tracer.builder(disk)
            .time(time)
            .producers(1)
            .peakRate(40)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(LARGEST)
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    tracer.start();
    record(tracer, 0, 11);
    Eventually.await(
        "it is tried again",
        () -> {
          time.advance(Duration.ofMillis(20));
          return disk.writes.get() == 2;
        });
    record(tracer, 11, 100);
    long slow = dropped(tracer, Lane.INDEX, DropReason.DISK_SLOW);
    long lost = tracer.ledger().lost();
    disk.gate.countDown();
    tracer.close();

    assertThat(slow).isPositive().isEqualTo(lost);
  }
}
