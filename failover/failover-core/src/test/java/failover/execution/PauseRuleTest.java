package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverException.SourcePausedException;
import failover.FailoverResult;
import failover.FailoverSpec;
import failover.FailoverSpecBuilder;
import failover.Failovers;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.threads.Together;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a source is left alone. */
@Timeout(120)
class PauseRuleTest {
  private static final Duration WINDOW = Duration.ofSeconds(10);

  private final SettableTime time = new SettableTime();
  private final Failovers failovers =
      Failovers.builder(new InMemoryFailoverStore()).time(time).build();
  private final FailoverSpec<String> spec = spec("price").build();
  private final Set<String> bad = ConcurrentHashMap.newKeySet();
  private final AtomicInteger asked = new AtomicInteger();

  private static FailoverSpecBuilder<String> spec(String name) {
    return FailoverSpec.builder(name, String.class);
  }

  /** Each failure is another instance: a caller must get that of its own call. */
  private FailoverResult<String> ask(String key) throws IOException {
    return failovers.callForResult(
        spec,
        List.of(key),
        () -> {
          asked.incrementAndGet();
          if (bad.contains(key) || bad.contains("*")) {
            throw new IOException("down for " + key);
          }
          return key;
        });
  }

  private boolean isAsked(String key) throws IOException {
    int before = asked.get();
    ask(key);
    return asked.get() > before;
  }

  private void store(String... keys) throws IOException {
    for (String key : keys) {
      ask(key);
    }
    time.advance(WINDOW.plusSeconds(2)); // long ago
  }

  @Test
  void aFailureOfOneKeyCostsNoOtherAnything() throws IOException {
    store("a", "b");
    bad.add("a");
    for (int i = 0; i < 50; i++) {
      assertThat(ask("a").upToDate()).isFalse();
      assertThat(ask("b").upToDate()).isTrue();
    }
  }

  @Test
  void threeFailuresOfThreeKeysAreTooMuchIfTheyAreHalfOfTheCalls() throws IOException {
    store("a", "b", "c", "d");
    ask("d");
    ask("d");
    ask("d");
    bad.addAll(List.of("a", "b", "c"));
    assertThat(isAsked("a")).isTrue();
    assertThat(isAsked("b")).isTrue();
    assertThat(isAsked("a")).isTrue();
    assertThat(isAsked("d")).as("failures of two keys are not enough").isTrue();
    assertThat(isAsked("c")).isTrue();
    assertThat(isAsked("d")).as("4 of 8 have failed, of 3 keys").isFalse();
  }

  @Test
  void lessThanHalfIsNot() throws IOException {
    store("a", "b", "c", "d");
    for (int i = 0; i < 4; i++) {
      ask("d");
    }
    bad.addAll(List.of("a", "b", "c"));
    ask("a");
    ask("b");
    ask("c");
    assertThat(isAsked("d")).as("3 of 7 have failed").isTrue();
  }

  @Test
  void whatIsLongerAgoThanTheWindowDoesNotCount() throws IOException {
    store("a", "b", "c");
    bad.addAll(List.of("a", "b", "c"));
    ask("a");
    ask("b");
    time.advance(WINDOW.plusSeconds(2));
    ask("c");
    assertThat(isAsked("a")).isTrue();
    assertThat(isAsked("b")).as("failures of 2 keys lately").isTrue();
    assertThat(isAsked("a")).as("and now of 3").isFalse();
  }

  @Test
  void whereThereIsOneKeyItsThreeFailuresAreEnough() throws IOException {
    store("a");
    bad.add("a");
    for (int i = 0; i < 3; i++) {
      assertThat(isAsked("a")).isTrue();
    }
    assertThat(isAsked("a")).isFalse();
  }

  @Test
  void whereThereAreTwoKeysEachPausesAlone() throws IOException {
    store("a", "b");
    bad.add("*");
    int before = asked.get();
    for (int i = 0; i < 100; i++) {
      assertThat(ask("a").upToDate()).isFalse();
      assertThat(ask("b").upToDate()).isFalse();
    }
    assertThat(asked.get() - before).isEqualTo(2 * KeyPauses.IN_A_ROW);
    bad.clear();
    bad.add("a");
    time.advance(Duration.ofMillis(1_500)); // the longest first pause
    for (int i = 0; i < 10; i++) {
      assertThat(ask("b").upToDate()).as("the other one does not matter to it").isTrue();
    }
    assertThat(ask("a").upToDate()).isFalse();
    assertThat(isAsked("c")).as("nor to a third").isTrue();
  }

  @Test
  void aFewFailuresTogetherAreNotEnoughAtABusyPoint() throws IOException {
    for (int i = 0; i < 1_000; i++) {
      ask("k" + i % 50);
    }
    bad.add("*");
    for (int i = 0; i < 4 * RecentCalls.IN_A_ROW; i++) {
      assertThat(isAsked("k" + i % 50)).isTrue();
    }
    bad.clear();
    assertThat(ask("k0").upToDate()).isTrue();
  }

  @Test
  void tenFailuresInARowAreEnoughIfNothingWasAnsweredForAWhile() throws IOException {
    for (int i = 0; i < 1_000; i++) {
      ask("k" + i % 50);
    }
    time.advance(Duration.ofSeconds(2)); // as a client waits before it fails
    bad.add("*");
    int before = asked.get();
    for (int i = 0; i < 500; i++) {
      ask("k" + i % 50);
    }
    assertThat(asked.get() - before).isEqualTo(RecentCalls.IN_A_ROW);
  }

  @Test
  void aKeyThatFailsAgainAndAgainPausesAlone() throws IOException {
    store("a", "b");
    bad.add("a");
    int before = asked.get();
    for (int i = 0; i < 100; i++) {
      ask("a");
      assertThat(ask("b").upToDate()).isTrue();
    }
    assertThat(asked.get() - before).isEqualTo(100 + KeyPauses.IN_A_ROW);
    bad.clear();
    time.advance(Duration.ofMillis(1_500)); // the longest first pause
    assertThat(ask("a").upToDate()).as("it is tried again").isTrue();
    assertThat(ask("a").upToDate()).isTrue();
  }

  @Test
  void moreKeysThanAreWatchedHarmNobody() throws IOException {
    for (int i = 0; i < 10 * KeyPauses.MOST_KEYS; i++) {
      String key = "k" + i;
      ask(key);
      ask("good");
      bad.add(key);
      assertThat(ask(key).value()).isEqualTo(key);
    }
    assertThat(ask("good").upToDate()).isTrue();
  }

  @Test
  void aCallerThatIsGivenNothingGetsTheThrowableOfItsOwnCall() throws IOException {
    store("a", "b", "c");
    bad.add("*");
    for (String key : List.of("a", "b", "c", "a")) {
      ask(key);
    }
    assertThat(isAsked("a")).as("there is a pause").isFalse();
    int before = asked.get();
    assertThatThrownBy(() -> ask("unknown"))
        .isInstanceOf(IOException.class)
        .hasMessage("down for unknown");
    assertThat(asked.get() - before).isEqualTo(1);
    bad.clear();
    bad.add("a");
    assertThat(ask("another").upToDate()).as("what is there can be had").isTrue();
  }

  @Test
  void onlyAFewCallsWithNothingStoredAskAtOnce() throws Exception {
    FailoverSpec<String> hanging = spec("hanging").build();
    for (String key : List.of("a", "b", "c")) {
      assertThatThrownBy(() -> failovers.call(hanging, List.of(key), PauseRuleTest::fail))
          .isInstanceOf(IOException.class);
    }
    int callers = 40;
    CountDownLatch refused = new CountDownLatch(callers - Pause.DIRECT_CALLS);
    AtomicInteger asking = new AtomicInteger();
    Together.runAll(
        callers,
        () ->
            assertThatThrownBy(
                    () -> {
                      try {
                        failovers.call(
                            hanging,
                            List.of(Thread.currentThread().getName()),
                            () -> {
                              asking.incrementAndGet();
                              refused.await();
                              return fail();
                            });
                      } catch (SourcePausedException e) {
                        refused.countDown();
                        throw e.getCause();
                      }
                    })
                .isInstanceOf(IOException.class));
    assertThat(asking).hasValue(Pause.DIRECT_CALLS);
    assertThat(failovers.counts().get("hanging").paused()).isEqualTo(callers - Pause.DIRECT_CALLS);
    assertThat(failovers.ledger().unaccounted()).isZero();
  }

  private static String fail() throws IOException {
    throw new IOException("down");
  }

  @Test
  void ofFiveHundredCallersNoMoreThanAHandfulWaitForADeadSource() throws Exception {
    for (int i = 0; i < 500; i++) {
      ask("k" + i);
    }
    time.advance(WINDOW.plusSeconds(2));
    bad.add("*");
    for (int i = 0; i < 3; i++) {
      ask("k" + i);
    }
    int before = asked.get();
    AtomicInteger next = new AtomicInteger();
    Together.runAll(500, () -> assertThat(ask("k" + next.getAndIncrement()).upToDate()).isFalse());
    assertThat(asked.get() - before).isLessThanOrEqualTo(5);
  }
}
