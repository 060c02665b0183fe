package failover;

import static org.assertj.core.api.Assertions.assertThat;

import failover.FailoverException.SourcePausedException;
import failover.Failovers.PointCounts;
import failover.key.StoreKey;
import failover.store.AsyncFailoverStore;
import failover.store.EncryptingFailoverStore;
import failover.store.FailoverStore;
import failover.store.FailoverStore.StoreListener;
import failover.store.FailoverStore.StoredEntry;
import failover.store.FailoverStoreException;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import failover.store.ReferentialPayload;
import failover.store.encryption.AesGcmPayloadCipher;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Together;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random calls on many threads, with everything failing now and then: every event is accounted for.
 */
class LawTest {
  private static final int THREADS = 64;
  private static final int KEYS = 50;

  /** A store that fails one time in five. */
  private static final class Moody implements FailoverStore {
    private final InMemoryFailoverStore memory = new InMemoryFailoverStore(KEYS / 2);
    private final AtomicInteger asked = new AtomicInteger();

    private InMemoryFailoverStore memory() {
      if (asked.incrementAndGet() % 5 == 0) {
        throw new FailoverStoreException("moody", null);
      }
      return memory;
    }

    @Override
    public void store(ReferentialPayload answer) {
      memory().store(answer);
    }

    @Override
    public void delete(StoreKey key) {
      memory().delete(key);
    }

    @Override
    public Optional<ReferentialPayload> find(StoreKey key) {
      return memory().find(key);
    }

    @Override
    public List<StoredEntry> entries(String name, int limit) {
      return memory().entries(name, limit);
    }

    @Override
    public int deleteAll(String name) {
      return memory().deleteAll(name);
    }

    @Override
    public int expireAll(String name, Instant now) {
      return memory().expireAll(name, now);
    }

    @Override
    public long cleanByExpiry(Instant cutoff) {
      return memory().cleanByExpiry(cutoff);
    }
  }

  /** An answer that says for which key it was given. */
  record Answer(int key, long number) {}

  private final SettableTime time = new SettableTime();
  private final AtomicInteger seeds = new AtomicInteger();
  private final AtomicLong numbers = new AtomicLong();
  private final LongAdder live = new LongAdder();
  private final LongAdder recovered = new LongAdder();
  private final LongAdder failed = new LongAdder();

  @Test
  void callsAreLiveRecoveredOrFailedAndNoKeyGetsAnothersAnswer() throws Exception {
    run(20_000);
  }

  @Test
  void soAreThoseWhoseAnswersAreEncrypted() throws Exception {
    EncryptingFailoverStore encrypting = encrypting(new Moody());
    run(20_000, encrypting);
    assertThat(encrypting.unreadable()).isEmpty();
  }

  @Test
  @Tag("long")
  void soAreAMillion() throws Exception {
    run(1_000_000);
  }

  private static EncryptingFailoverStore encrypting(FailoverStore target) {
    String key = Base64.getEncoder().encodeToString(new byte[32]);
    return new EncryptingFailoverStore(target, AesGcmPayloadCipher.of("1", key));
  }

  private void run(int calls) throws Exception {
    run(calls, new Moody());
  }

  private void run(int calls, FailoverStore far) throws Exception {
    FailoverStore store =
        new NearFarFailoverStore(
            new InMemoryFailoverStore(KEYS / 4),
            new AsyncFailoverStore(far, 8, StoreListener.NONE, time));
    try (CapturedLog unread = new CapturedLog("failover");
        Failovers failovers =
            Failovers.builder(store).time(time).sweepInterval(Duration.ofMinutes(1)).build()) {
      failovers.start();
      FailoverSpec<Answer> paused =
          FailoverSpec.builder("paused", Answer.class).expiry(Duration.ofMinutes(5)).build();
      FailoverSpec<Answer> eager =
          FailoverSpec.builder("eager", Answer.class).pause(Duration.ZERO, Duration.ZERO).build();
      Together.runAll(
          THREADS,
          () -> {
            Random random = new Random(seeds.incrementAndGet());
            for (int i = 0; i < calls / THREADS; i++) {
              step(failovers, random, random.nextBoolean() ? paused : eager);
            }
          });
      int expected = calls / THREADS * THREADS;
      assertThat(live.sum() + recovered.sum() + failed.sum()).isEqualTo(expected);
      assertThat(failovers.ledger().accepted()).isEqualTo(expected);
      assertThat(failovers.ledger().delivered()).isEqualTo(live.sum() + recovered.sum());
      assertThat(failovers.ledger().lost()).isEqualTo(failed.sum());
      assertThat(failovers.ledger().unaccounted()).isZero();
      long counted = 0;
      for (PointCounts counts : failovers.counts().values()) {
        counted += counts.calls();
      }
      assertThat(counted).isEqualTo(expected);
      assertThat(unread.messages(Level.WARNING)).isNotEmpty();
      assertThat(List.of(live.sum(), recovered.sum(), failed.sum()))
          .as("each way to end was met")
          .allMatch(count -> count > 0);
    }
  }

  private void step(Failovers failovers, Random random, FailoverSpec<Answer> spec) {
    int key = random.nextInt(KEYS);
    int chance = random.nextInt(1_000);
    if (chance == 0) {
      time.setInstant(SettableTime.START.plusSeconds(random.nextInt(7_200))); // forward and back
    } else if (chance == 1) {
      time.advance(Duration.ofSeconds(random.nextInt(40)));
    }
    IOException down = new IOException("down");
    try {
      FailoverResult<Answer> result =
          failovers.callForResult(
              spec,
              List.of(key),
              () -> {
                if (chance % 2 == 0) {
                  throw down;
                }
                return chance % 31 == 0 ? null : new Answer(key, numbers.incrementAndGet());
              });
      (result.upToDate() ? live : recovered).increment();
      Answer answer = result.value();
      assertThat(answer == null || answer.key() == key).isTrue();
      assertThat(answer != null || result.upToDate()).isTrue();
    } catch (IOException e) {
      assertThat(e).isSameAs(down);
      failed.increment();
    } catch (SourcePausedException e) {
      assertThat(e.getCause()).isNotNull();
      failed.increment();
    }
  }
}
