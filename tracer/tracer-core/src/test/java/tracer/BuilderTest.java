package tracer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.process.Acknowledged;
import holdfast.testkit.process.ChildJvm;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Settings, what follows from them, and input that is refused. */
class BuilderTest extends TracerFixture {

  @Test
  void allMistakesAreToldAtOnce() {
    TracerBuilder builder =
        Tracer.builder(sink)
            .peakRate(0)
            .producers(0)
            .spareRings(Lane.INDEX, 0)
            .spareRings(Lane.DETAIL, -1)
            .spareRings(Lane.CRITICAL, 0)
            .highWatermark(101)
            .lowWatermark(-1)
            .burstWindow(Duration.ZERO)
            .flushInterval(Duration.ofMillis(-1))
            .diskSlowAfter(Duration.ofDays(9999))
            .emergencyWait(Duration.ofMillis(-1))
            .closeTimeout(Duration.ofMillis(-1))
            .largestDetail(0)
            .submitQueueCapacity(0);

    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Tracer: ")
        .hasMessageContaining("peakRate must be from 1 to 1000000000000 but was 0")
        .hasMessageContaining("producers must be from 1 to 1024 but was 0")
        .hasMessageContaining("spareRings of INDEX must")
        .hasMessageContaining("spareRings of DETAIL must")
        .hasMessageContaining("spareRings of CRITICAL must")
        .hasMessageContaining("highWatermark must be from 1 to 100 but was 101")
        .hasMessageContaining("lowWatermark must be from 0 to 100 but was -1")
        .hasMessageContaining("burstWindow must be more than zero")
        .hasMessageContaining("flushInterval must")
        .hasMessageContaining("diskSlowAfter must")
        .hasMessageContaining("emergencyWait must")
        .hasMessageContaining("closeTimeout must")
        .hasMessageContaining("largestDetail must be from 1 to 33554432 but was 0")
        .hasMessageContaining("submitQueueCapacity must");
  }

  @Test
  void theLowWatermarkIsBelowTheHighOne() {
    assertThatThrownBy(() -> stopped(settings -> settings.highWatermark(50).lowWatermark(50)))
        .hasMessageContaining("lowWatermark must be from 0 to 49 but was 50");
  }

  @Test
  void ringsThatAreTooLargeAreRefusedWithTheWayOut() {
    assertThatThrownBy(() -> stopped(settings -> settings.peakRate(6_710_885)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must give rings of 1677721 events or less but gives 1677722");
  }

  @Test
  void theLargestDetailIsTheSameWhateverTheNumberOfProducers() throws InterruptedException {
    for (int producers : new int[] {1, 2, 16, 256, 1024}) {
      Tracer tracer = started(settings -> settings.producers(producers));
      tracer.detail().record(NOTE, new byte[LARGEST]);
      flush(tracer);
      assertThat(tracer.ledger().lost()).as("%d producers", producers).isZero();
      tracer.detail().record(NOTE, new byte[LARGEST + 1]);
      assertThat(dropped(tracer, Lane.DETAIL, DropReason.RING_FULL)).isEqualTo(1);
    }
  }

  /** Records the largest event that is allowed by default, and one that is larger by a byte. */
  static final class LargestDetail {
    public static void main(String[] args) throws InterruptedException {
      Tracer tracer = Tracer.builder(batch -> {}).build();
      tracer.start();
      TraceEvent note = TraceEvent.named("large.note");
      tracer.detail().record(note, new byte[TracerBuilder.DEFAULT_LARGEST_DETAIL]);
      tracer.flush(Duration.ofSeconds(20));
      tracer.detail().record(note, new byte[TracerBuilder.DEFAULT_LARGEST_DETAIL + 1]);
      tracer.close();
      Acknowledged.line(
          Runtime.getRuntime().availableProcessors() + " " + tracer.ledger().toLine());
    }
  }

  @Test
  void theLargestDetailIsTheSameWhateverTheNumberOfProcessors() throws Exception {
    for (int processors : new int[] {1, 2, 64}) {
      try (ChildJvm child =
          ChildJvm.of(LargestDetail.class)
              .jvmOptions("-XX:ActiveProcessorCount=" + processors, "-Xmx256m")
              .start()) {
        child.awaitLines(1, Duration.ofSeconds(60));
        assertThat(child.lines())
            .containsExactly(
                processors
                    + " tracer accepted=2 delivered=1 held=0 lost=1(RING_FULL=1) unaccounted=0");
      }
    }
  }

  @Test
  void aMemoryLimitThatLeavesNoRingsIsRefused() {
    assertThatThrownBy(() -> stopped(settings -> settings.memoryLimit(1000)))
        .hasMessageContaining(
            "memoryLimit must be 2640 bytes (4 rings and one for copies) or more but was 1000");
    assertThatThrownBy(() -> stopped(settings -> settings.memoryLimit(Long.MIN_VALUE)))
        .hasMessageContaining("memoryLimit must be from 1 to 9223372036854775807 but was -9");
  }

  @Test
  void theLeastMemoryLimitLeavesEachLaneARing() {
    Tracer tracer = started(settings -> settings.memoryLimit(5 * 528));
    record(tracer, 0, 1);
    note(tracer, 0, 1);
    assertThat(tracer.critical().record(CRASH, large(0))).isTrue();
    assertThat(tracer.critical().record(CRASH, large(1))).isTrue();

    assertThat(closed(tracer).ledger().toLine())
        .isEqualTo("tracer accepted=4 delivered=4 held=0 lost=0 unaccounted=0");
  }

  @Test
  void ringsThatTheHeapHasNoRoomForAreRefusedWithTheWayOut() {
    long heap = Runtime.getRuntime().maxMemory();
    assertThatThrownBy(
            () ->
                stopped(
                    settings ->
                        settings
                            .spareRings(Lane.INDEX, 1)
                            .spareRings(Lane.CRITICAL, 1024)
                            .peakRate(3_200_000) // rings of 64 MB
                            .memoryLimit(Long.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must fit into a third of the heap, which has " + heap + " bytes")
        .hasMessageContaining("raise -Xmx");
  }

  /** Runs with defaults in a small heap. */
  static final class SmallHeap {
    public static void main(String[] args) {
      Tracer tracer =
          Tracer.builder(batch -> {}).producers(16).peakRate(Long.parseLong(args[0])).build();
      tracer.start();
      TraceEvent step = TraceEvent.named("small.step");
      for (int i = 0; i < 1_000_000; i++) {
        tracer.index().record(step, i, i);
      }
      tracer.close();
      Acknowledged.line(tracer.ledger().isAccountedFor() + " " + tracer.ledger().accepted());
    }
  }

  @Test
  void inASmallHeapThereAreFewerRings() throws Exception {
    for (long rate : List.of(TracerBuilder.DEFAULT_PEAK_RATE, 10_000_000L)) {
      try (ChildJvm child =
          ChildJvm.of(SmallHeap.class, Long.toString(rate)).jvmOptions("-Xmx64m").start()) {
        child.awaitLines(1, Duration.ofSeconds(60));
        assertThat(child.lines()).containsExactly("true 1000000");
      }
    }
  }

  @Test
  void nullsAreRefused() {
    assertThatThrownBy(() -> Tracer.builder(null)).hasMessageContaining("needs a TraceSink");
    assertThatThrownBy(() -> Tracer.builder(sink).lifecycleListener(null))
        .hasMessageContaining("listener");
    assertThatThrownBy(() -> Tracer.builder(sink).time(null)).hasMessageContaining("time");
    Tracer tracer = started();
    assertThatThrownBy(() -> tracer.index().record(null, 1, 2))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> tracer.detail().record(STEP, (byte[]) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> tracer.detail().record(STEP, new byte[3], 2, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> tracer.critical().record(null, "x"))
        .isInstanceOf(NullPointerException.class);
    assertThat(tracer.ledger().accepted()).isZero();
  }

  @Test
  void namesHaveTheirRules() {
    assertThat(TraceEvent.named("a")).isSameAs(TraceEvent.named("a"));
    assertThat(TraceEvent.withId(TraceEvent.named("b").id()).name()).isEqualTo("b");
    assertThatThrownBy(() -> TraceEvent.named(" ")).hasMessageContaining("1 to 256 characters");
    assertThatThrownBy(() -> TraceEvent.named("x".repeat(257)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> TraceEvent.withId(0)).hasMessageContaining("named event but was 0");
    assertThatThrownBy(() -> TraceEvent.withId(TraceEvent.MOST_NAMES + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void noPartOfARingIsLostToRounding() {
    // 1,000 events on 4 × 3 rings: 84 each, not 128 and not 64.
    Tracer tracer = stopped(settings -> settings.producers(3).peakRate(1000));
    record(tracer, 0, 84 * 12);
    assertThat(tracer.ledger().lost()).isZero();
    record(tracer, 0, 1);
    assertThat(tracer.ledger().lost()).isEqualTo(84);
  }

  @Test
  void theSizesAreLoggedOnceAtTheStart() {
    Tracer tracer = started();
    tracer.start();

    assertThat(log.messages(Level.INFO))
        .containsExactly(
            "tracer started peakRate=40 burstWindow=PT1S producers=1 rings=4+3+2"
                + " ringBytes=528 memoryBytes=5280 highWatermark=85 lowWatermark=50");
  }

  @Test
  void refusedRingsAreWarnedOf() {
    started(settings -> settings.memoryLimit(8 * 528));

    assertThat(log.messages(Level.WARNING))
        .containsExactly(
            "tracer memoryLimit or the heap refuses 2 of 9 rings; allow 5280 bytes, or lower"
                + " peakRate, burstWindow or producers");
  }
}
