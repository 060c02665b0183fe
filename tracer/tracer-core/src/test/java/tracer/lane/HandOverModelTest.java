package tracer.lane;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.time.Duration;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tracer.Lane;
import tracer.lane.RingPool.Taken;
import tracer.ring.RecordFormat;
import tracer.ring.Ring;
import tracer.ring.RingReader;

/**
 * Walks through the interleavings of two writers and the drain on rings that are always full; the
 * model checker needs public classes. Operations say what is wrong, so any word but "fine" fails.
 */
@Tag("model")
public class HandOverModelTest {
  private static final int WRITERS = 2;

  /** Two writers of rings for one event each, and a drain. */
  public static class Lanes {
    final Drops drops = new Drops();
    final RingPool pool;
    final RingAllocator allocator;
    final RecordedCounters recorded = new RecordedCounters(WRITERS);
    final Writer[] writers = new Writer[WRITERS];
    final Ring copies = new Ring(-1, Lane.INDEX, RecordFormat.VALUE_WORDS);
    final long[] next = new long[WRITERS];
    final long[] last = new long[WRITERS];

    /** Three rings, which is the fewest with which writers take from each other. */
    public Lanes() {
      this(3);
    }

    Lanes(int rings) {
      pool = new RingPool(new Sizing(RecordFormat.VALUE_WORDS, 16, rings, 1, 1, 1 << 20));
      allocator =
          new RingAllocator(
              pool,
              new RingAllocator.Limits(rings, 85, 50, false),
              drops,
              new SinkWatch(Duration.ofSeconds(1), Duration.ofSeconds(1)),
              () -> {},
              () -> {});
      for (int i = 0; i < WRITERS; i++) {
        writers[i] = new Writer(i, Lane.INDEX, allocator, recorded, WRITERS);
      }
    }

    @Operation(nonParallelGroup = "first")
    public void writeFirst() {
      write(0);
    }

    @Operation(nonParallelGroup = "second")
    public void writeSecond() {
      write(1);
    }

    private void write(int writer) {
      long number = ++next[writer];
      writers[writer].two(
          RecordFormat.header(RecordFormat.TWO, 1, writer), number, number, ~number);
    }

    @Operation(nonParallelGroup = "drain")
    public String drain() {
      Taken taken = allocator.takeOldest();
      if (taken == null) {
        return "fine";
      }
      String verdict = check(taken.ring());
      allocator.giveBack(taken.ring());
      return verdict;
    }

    @Operation(nonParallelGroup = "drain")
    public String flush() {
      String verdict = "fine";
      for (int i = 0; i < pool.size() && verdict.equals("fine"); i++) {
        if (copy(i) == Copy.DONE) {
          verdict = check(copies);
          copies.reset();
        }
      }
      return verdict;
    }

    Copy copy(int ring) {
      return pool.copy(ring, pool.state(ring), from -> from.moveTo(copies));
    }

    /** Each event is whole, and newer than all of its writer that were seen before. */
    private String check(Ring ring) {
      RingReader reader = ring.reader(ring.events(), Lane.INDEX, thread -> "");
      while (reader.next()) {
        int writer = (int) reader.threadId();
        if (reader.a() != ~reader.b() || reader.a() != reader.time()) {
          return "torn";
        }
        if (reader.a() <= last[writer]) {
          return "again, or out of order";
        }
        last[writer] = reader.a();
      }
      return "fine";
    }
  }

  /** The same with the usual mistake: the drain reads a ring in use without asking for it. */
  public static class CarelessLanes extends Lanes {
    @Override
    Copy copy(int ring) {
      long state = pool.state(ring);
      if (RingState.status(state) != RingState.ACTIVE) {
        return Copy.NOTHING;
      }
      return pool.ring(ring).moveTo(copies) == 0 ? Copy.NOTHING : Copy.DONE;
    }
  }

  private static ModelCheckingOptions options(int iterations, int invocations) {
    return new ModelCheckingOptions()
        .iterations(iterations)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(2)
        .invocationsPerIteration(invocations)
        // It goes deep on purpose, which the checker would take for a recursion without an end.
        .addGuarantee(forClasses(StackHeadroom.class.getName()).allMethods().ignore());
  }

  @Test
  void everyEventIsSeenWholeOnceAndInOrder() {
    options(1, 100).actorsPerThread(2).check(Lanes.class);
  }

  @Test
  @Tag("long")
  void everyEventIsSeenWholeOnceAndInOrderInManyMoreInterleavings() {
    options(50, 10_000).check(Lanes.class);
  }

  @Test
  @Tag("long")
  void theModelWouldFindADrainThatDoesNotAsk() {
    assertThatThrownBy(() -> options(10, 300).threads(2).check(CarelessLanes.class))
        .isInstanceOf(LincheckAssertionError.class);
  }
}
