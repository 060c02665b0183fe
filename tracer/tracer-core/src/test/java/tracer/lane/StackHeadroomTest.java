package tracer.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tracer.Lane;
import tracer.lane.RingPool.Taken;
import tracer.ring.RecordFormat;

/** Where the stack ends: the room that is required is there, and no ring is left to two owners. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StackHeadroomTest {
  private static final int WARM_UP = 50_000;
  private static final int FRAMES_NEEDED = 48;
  private static final long SMALL_STACK = 512 * 1024;

  /** Goes down to where there is no more room, and uses the room of the last place that had it. */
  @SuppressWarnings("InfiniteRecursion") // it ends where there is no more room
  private static boolean useTheLastRoom() {
    try {
      StackHeadroom.require();
    } catch (StackOverflowError e) {
      return false;
    }
    return useTheLastRoom() || use(FRAMES_NEEDED) == FRAMES_NEEDED;
  }

  private static int use(int frames) {
    return frames == 0 ? 0 : 1 + use(frames - 1);
  }

  @Test
  void isEnoughForCodeThatIsNotCompiledWhenTheCheckIs() throws Exception {
    for (int i = 0; i < WARM_UP; i++) {
      StackHeadroom.require();
    }
    CompletableFuture<Boolean> used = new CompletableFuture<>();
    Thread deep =
        new Thread(
            null,
            () -> used.completeAsync(StackHeadroomTest::useTheLastRoom, Runnable::run),
            "deep",
            SMALL_STACK);
    deep.start();
    assertThat(used.get(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void anErrorWhileARingIsSealedLeavesTheWriterARingOfItsOwn() {
    AtomicInteger sealings = new AtomicInteger();
    Runnable endOfTheStackOnce =
        () -> {
          if (sealings.incrementAndGet() == 1) {
            throw new StackOverflowError("thrown on purpose");
          }
        };
    RingPool pool = new RingPool(new Sizing(RecordFormat.VALUE_WORDS, 16, 4, 1, 1, 1 << 20));
    RingAllocator allocator =
        new RingAllocator(
            pool,
            new RingAllocator.Limits(4, 85, 50, false),
            new Drops(),
            new SinkWatch(Duration.ofSeconds(1), Duration.ofSeconds(1)),
            endOfTheStackOnce,
            () -> {});
    RecordedCounters recorded = new RecordedCounters(1);
    Writer writer = new Writer(0, Lane.INDEX, allocator, recorded, 1);
    writer.two(RecordFormat.header(RecordFormat.TWO, 1, 0), 1, 1, 1);
    assertThatThrownBy(() -> writer.two(RecordFormat.header(RecordFormat.TWO, 1, 0), 2, 2, 2))
        .isInstanceOf(StackOverflowError.class);

    writer.two(RecordFormat.header(RecordFormat.TWO, 1, 0), 3, 3, 3);
    writer.two(RecordFormat.header(RecordFormat.TWO, 1, 0), 4, 4, 4);

    assertThat(recorded.of(0)).isEqualTo(3);
    assertThat(allocator.held().waiting() + allocator.held().inUse()).isEqualTo(3);
    for (Taken taken = allocator.takeOldest(); taken != null; taken = allocator.takeOldest()) {
      allocator.giveBack(taken.ring());
    }
    assertThat(pool.counts(Lane.INDEX).inUse()).isEqualTo(1);
  }
}
