package failover.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import failover.FailoverCall;
import failover.FailoverException.SourcePausedException;
import failover.FailoverResult;
import failover.FailoverSpec;
import failover.Failovers;
import failover.TypeRef;
import failover.slices.AbstractListPayloadSplitter;
import failover.store.AsyncFailoverStore;
import failover.store.EncryptingFailoverStore;
import failover.store.FailoverStore;
import failover.store.FailoverStore.StoreListener;
import failover.store.FailoverStoreException;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import failover.store.WriteSkippingFailoverStore;
import failover.store.encryption.AesGcmPayloadCipher;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Together;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random calls of tenants on many threads, as a whole and in slices, encrypted, with everything
 * failing now and then: every call is accounted for, and no answer is another's.
 */
@Timeout(300)
class TenantsLawTest {
  private static final int THREADS = 64;
  private static final int KEYS = 12;

  /** Two with stores of their own, one that is the default, two that are unknown, and none. */
  private static final List<String> TENANTS = List.of("a", "b", "main", "x", "y", "");

  /** A store of a tenant that fails one time in five. */
  private static final class Moody extends ForwardingStore {
    private final AtomicInteger asked = new AtomicInteger();

    Moody() {
      super(new InMemoryFailoverStore(KEYS));
    }

    @Override
    void use() {
      if (asked.incrementAndGet() % 5 == 0) {
        throw new FailoverStoreException("moody", null);
      }
    }
  }

  /** An answer that says for whom and for which key it was given. */
  record Answer(String tenant, int key, long number) {}

  private static final class Answers extends AbstractListPayloadSplitter<Answer> {
    Answers() {
      super(Answer.class);
    }

    @Override
    protected List<?> keyArgsForSlice(FailoverCall<?> call, Answer slice) {
      return List.of(slice.key());
    }
  }

  private final SettableTime time = new SettableTime();
  private final AtomicInteger seeds = new AtomicInteger();
  private final AtomicLong numbers = new AtomicLong();
  private final LongAdder live = new LongAdder();
  private final LongAdder recovered = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final FailoverSpec<Answer> one =
      FailoverSpec.builder("one", Answer.class)
          .domain("answers")
          .pause(Duration.ZERO, Duration.ZERO)
          .build();
  private final FailoverSpec<List<Answer>> some =
      FailoverSpec.builder("some", new TypeRef<List<Answer>>() {})
          .domain("answers")
          .payloadSplitter(new Answers())
          .build();

  @Test
  void callsAreLiveRecoveredOrFailedAndNoTenantKeyOrSliceGetsAnothersAnswer() throws Exception {
    run(20_000);
  }

  @Test
  @Tag("long")
  void soAreAMillion() throws Exception {
    run(1_000_000);
  }

  private void run(int calls) throws Exception {
    Tenants tenants =
        Tenants.of(TenantContext.resolver()).withDefault("main").known(List.of("a", "b"));
    EncryptingFailoverStore encrypting = encrypted(tenants);
    FailoverStore store =
        new NearFarFailoverStore(
            new InMemoryFailoverStore(2 * KEYS),
            new AsyncFailoverStore(
                new WriteSkippingFailoverStore(encrypting), 8, StoreListener.NONE, time));
    try (CapturedLog log = new CapturedLog("failover");
        Failovers failovers =
            Failovers.builder(store)
                .tenants(tenants)
                .time(time)
                .sweepInterval(Duration.ofMinutes(1))
                .build()) {
      failovers.start();
      Together.runAll(
          THREADS,
          () -> {
            Random random = new Random(seeds.incrementAndGet());
            for (int i = 0; i < calls / THREADS; i++) {
              step(failovers, random);
            }
          });
      int expected = calls / THREADS * THREADS;
      assertThat(live.sum() + recovered.sum() + failed.sum()).isEqualTo(expected);
      assertThat(failovers.ledger().accepted()).isEqualTo(expected);
      assertThat(failovers.ledger().delivered()).isEqualTo(live.sum() + recovered.sum());
      assertThat(failovers.ledger().lost()).isEqualTo(failed.sum());
      assertThat(failovers.ledger().unaccounted()).isZero();
      assertThat(encrypting.unreadable()).isEmpty();
      assertThat(List.of(live.sum(), recovered.sum(), failed.sum()))
          .as("each way to end was met")
          .allMatch(count -> count > 0);
      assertThat(log.messages(Level.WARNING))
          .filteredOn(line -> line.contains("tenant is unknown"))
          .hasSize(2);
    }
  }

  private static EncryptingFailoverStore encrypted(Tenants tenants) {
    Map<String, Moody> tables = new ConcurrentHashMap<>();
    TenantStoreFactory factory =
        new TenantStoreFactory() {
          @Override
          public FailoverStore create(String tenant) {
            return tables.computeIfAbsent(tenant, id -> new Moody());
          }

          @Override
          public boolean isShared(String tenant) {
            return tenant.equals("main");
          }
        };
    return new EncryptingFailoverStore(
        new MultiTenantFailoverStore(tenants, factory),
        AesGcmPayloadCipher.of("1", Base64.getEncoder().encodeToString(new byte[32])));
  }

  private void step(Failovers failovers, Random random) {
    int chance = random.nextInt(1_000);
    if (chance == 0) {
      time.setInstant(SettableTime.START.plusSeconds(random.nextInt(7_200))); // forward and back
    } else if (chance == 1) {
      time.advance(Duration.ofSeconds(random.nextInt(40)));
    }
    String tenant = TENANTS.get(random.nextInt(TENANTS.size()));
    String who = tenant.isEmpty() ? "main" : tenant;
    try (TenantContext.Scope scope =
        tenant.isEmpty() ? TenantContext.none() : TenantContext.open(tenant)) {
      assertThat(scope).isNotNull();
      if (random.nextBoolean()) {
        whole(failovers, who, random.nextInt(KEYS), chance);
      } else {
        int first = random.nextInt(KEYS);
        slices(failovers, who, List.of(first, first + 1, first + 2), chance);
      }
    }
  }

  private void whole(Failovers failovers, String who, int key, int chance) {
    IOException down = new IOException("down");
    try {
      FailoverResult<Answer> result =
          failovers.callForResult(
              one,
              List.of(key),
              () -> {
                if (chance % 2 == 0) {
                  throw down;
                }
                return chance % 31 == 0 ? null : answer(who, key);
              });
      (result.upToDate() ? live : recovered).increment();
      Answer answer = result.value();
      assertThat(answer == null ? result.upToDate() : isOf(answer, who, List.of(key))).isTrue();
    } catch (IOException e) {
      assertThat(e).isSameAs(down);
      failed.increment();
    }
  }

  private void slices(Failovers failovers, String who, List<Integer> keys, int chance) {
    IOException down = new IOException("down");
    try {
      FailoverResult<List<Answer>> result =
          failovers.callForResult(
              some,
              List.of(keys),
              () -> {
                if (chance % 2 == 0) {
                  throw down;
                }
                return keys.stream().map(key -> answer(who, key)).toList();
              });
      (result.upToDate() ? live : recovered).increment();
      List<Answer> answers = result.value();
      assertThat(answers).isNotEmpty().allMatch(answer -> isOf(answer, who, keys));
      assertThat(answers.stream().map(Answer::key).toList()).isSorted().doesNotHaveDuplicates();
    } catch (IOException e) {
      assertThat(e).isSameAs(down);
      failed.increment();
    } catch (SourcePausedException e) {
      assertThat(e.getCause()).isNotNull();
      failed.increment();
    }
  }

  private Answer answer(String who, int key) {
    return new Answer(who, key, numbers.incrementAndGet());
  }

  private static boolean isOf(Answer answer, String who, List<Integer> keys) {
    return answer.tenant().equals(who) && keys.contains(answer.key());
  }
}
