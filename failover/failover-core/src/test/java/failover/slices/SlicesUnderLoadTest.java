package failover.slices;

import static org.assertj.core.api.Assertions.assertThat;

import failover.FailoverCall;
import failover.FailoverResult;
import failover.FailoverResult.Freshness;
import failover.FailoverSpec;
import failover.Failovers;
import failover.TypeRef;
import failover.store.AsyncFailoverStore;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import holdfast.testkit.threads.Together;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many threads, a source that fails now and then, and a splitter that does so, too. */
class SlicesUnderLoadTest {
  private static final int THREADS = 8;
  private static final int CALLS = 500;

  record Entry(int id, String text) {}

  private static final class Entries extends AbstractListPayloadSplitter<Entry> {
    private final AtomicInteger asked = new AtomicInteger();

    Entries() {
      super(Entry.class);
    }

    @Override
    protected List<Object> keyArgsForSlice(FailoverCall<?> call, Entry slice) {
      if (asked.incrementAndGet() % 1_000 == 0) {
        throw new IllegalStateException("told to fail");
      }
      return List.of(slice.id());
    }
  }

  private final LongAdder recovered = new LongAdder();
  private final LongAdder failed = new LongAdder();

  @Test
  @Timeout(120)
  void noIdGetsTheSliceOfAnotherAndEveryCallIsAccountedFor() throws Exception {
    FailoverSpec<List<Entry>> spec =
        FailoverSpec.builder("entries", new TypeRef<List<Entry>>() {})
            .pause(Duration.ZERO, Duration.ZERO)
            .payloadSplitter(new Entries())
            .build();
    AtomicInteger seeds = new AtomicInteger(1);
    try (Failovers failovers =
        Failovers.builder(
                new NearFarFailoverStore(
                    new InMemoryFailoverStore(50), // forgets some, so that the far one is read
                    new AsyncFailoverStore(new InMemoryFailoverStore())))
            .build()) {
      Together.runAll(
          THREADS,
          () -> {
            Random random = new Random(seeds.getAndIncrement());
            for (int i = 0; i < CALLS; i++) {
              call(failovers, spec, random);
            }
          });
      assertThat(failovers.ledger().accepted()).isEqualTo((long) THREADS * CALLS);
      assertThat(failovers.ledger().unaccounted()).isZero();
      assertThat(failovers.counts().get("entries").recovered()).isEqualTo(recovered.sum());
      assertThat(failovers.counts().get("entries").failed()).isEqualTo(failed.sum());
      assertThat(failovers.counts().get("entries").splitterFailures()).isPositive();
      assertThat(failovers.counts().get("entries").unreadable()).isZero();
    }
    assertThat(recovered.sum()).isPositive();
  }

  private void call(Failovers failovers, FailoverSpec<List<Entry>> spec, Random random) {
    List<Integer> ids = random.ints(random.nextInt(1, 20), 0, 200).boxed().toList();
    boolean fails = random.nextInt(3) == 0;
    try {
      FailoverResult<List<Entry>> result =
          failovers.callForResult(
              spec,
              List.of(ids),
              () -> {
                if (fails) {
                  throw new IOException("down");
                }
                return ids.stream().map(id -> new Entry(id, "text " + id)).toList();
              });
      check(ids, result);
    } catch (IOException e) {
      failed.increment();
    }
  }

  private void check(List<Integer> ids, FailoverResult<List<Entry>> result) {
    List<Entry> expected = new ArrayList<>();
    for (int id : ids) {
      if (result.freshnessOf(id) != Freshness.MISSING) {
        expected.add(new Entry(id, "text " + id));
      }
    }
    assertThat(result.value()).isEqualTo(expected);
    if (!result.upToDate()) {
      recovered.increment();
    }
  }
}
