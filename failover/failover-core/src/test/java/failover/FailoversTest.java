package failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import failover.FailoverOutcome.Kind;
import failover.Prices.Price;
import failover.execution.ExceptionPolicy;
import failover.execution.RecoverableFailures;
import failover.observe.Metrics;
import failover.recovery.RecoveredPayloadHandler;
import failover.store.FailoverStore;
import failover.store.FailoverStoreException;
import failover.store.InMemoryFailoverStore;
import failover.store.ReferentialPayload;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

class FailoversTest {
  private static final Duration NO_PAUSE = Duration.ZERO;

  private final SettableTime time = new SettableTime();
  private final InMemoryFailoverStore store = new InMemoryFailoverStore();
  private final Prices prices = new Prices();
  private final FailoverSpec<Price> spec = spec("price").build();

  private static FailoverSpecBuilder<Price> spec(String name) {
    return FailoverSpec.builder(name, Price.class).pause(NO_PAUSE, NO_PAUSE);
  }

  private FailoversBuilder builder() {
    return Failovers.builder(store).time(time);
  }

  private Price ask(Failovers failovers, FailoverSpec<Price> at, String sku) throws Throwable {
    return failovers.call(at, List.of(sku), () -> prices.of(sku));
  }

  private static void assertBooks(Failovers failovers, long accepted, long delivered) {
    assertThat(failovers.books().accepted()).isEqualTo(accepted);
    assertThat(failovers.books().delivered()).isEqualTo(delivered);
    assertThat(failovers.books().unaccounted()).isZero();
  }

  @Test
  void aLiveAnswerIsGivenAndKeptForTheDayTheSourceFails() throws Throwable {
    Failovers failovers = builder().build();
    assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 100));
    assertThat(FailoverOutcome.last().orElseThrow().kind()).isEqualTo(Kind.LIVE);
    time.advance(Duration.ofMinutes(59));
    IOException down = new IOException("down");
    prices.failure = down;
    FailoverResult<Price> result =
        failovers.callForResult(spec, List.of("a"), () -> prices.of("a"));
    assertThat(result.value()).isEqualTo(new Price("a", 100));
    assertThat(result.upToDate()).isFalse();
    assertThat(result.asOf()).isEqualTo(SettableTime.START);
    assertThat(result.cause()).containsSame(down);
    assertThat(FailoverOutcome.last())
        .contains(new FailoverOutcome("price", Kind.RECOVERED, SettableTime.START, down));
    assertBooks(failovers, 2, 2);
    assertThat(failovers.counts().get("price").recovered()).isEqualTo(1);
    assertThat(failovers.counts().get("price").stale()).isEqualTo(0.5);
  }

  @Test
  void withoutAStoredAnswerTheCallerGetsTheVeryThrowable() throws Throwable {
    Failovers failovers = builder().build();
    ask(failovers, spec, "a");
    for (Throwable failure :
        List.of(new IOException("checked"), new IllegalStateException("unchecked"))) {
      prices.failure = failure;
      assertThat(catchThrowable(() -> ask(failovers, spec, "b"))).isSameAs(failure);
      assertThat(FailoverOutcome.last().orElseThrow().failure()).isSameAs(failure);
    }
    assertThat(failovers.books().lostByReason()).containsEntry("nothing_stored", 2L);
    assertBooks(failovers, 3, 1);
  }

  @Test
  void anErrorIsNeverTouched() throws Throwable {
    Failovers failovers =
        builder()
            .recoverable(RecoverableFailures.any())
            .exceptionPolicy(ExceptionPolicy.NEVER_THROW)
            .build();
    ask(failovers, spec, "a");
    AssertionError error = new AssertionError("broken");
    prices.failure = error;
    assertThat(catchThrowable(() -> ask(failovers, spec, "a"))).isSameAs(error);
    assertThat(failovers.books().lostByReason()).containsEntry("error", 1L);
    assertBooks(failovers, 2, 1);
  }

  @Test
  void mistakesOfCallersAreNotRecovered() throws Throwable {
    Failovers failovers = builder().build();
    ask(failovers, spec, "a");
    for (Throwable failure :
        List.of(new IllegalArgumentException("no"), new NumberFormatException("no"))) {
      prices.failure = failure;
      assertThat(catchThrowable(() -> ask(failovers, spec, "a"))).isSameAs(failure);
    }
    assertThat(failovers.books().lostByReason()).containsEntry("not_recoverable", 2L);
    Failovers lenient = builder().recoverable(RecoverableFailures.any()).build();
    assertThat(ask(lenient, spec, "a")).isNotNull();
  }

  @Test
  void aPointSaysWhatToRecoverAndWhatNever() throws Throwable {
    Failovers failovers = builder().build();
    FailoverSpec<Price> choosy =
        spec("choosy")
            .recoverOn(List.of(RuntimeException.class))
            .neverOn(List.of(IllegalStateException.class))
            .build();
    ask(failovers, choosy, "a");
    prices.failure = new IllegalArgumentException("named");
    assertThat(ask(failovers, choosy, "a")).isNotNull();
    prices.failure = new IllegalStateException("excepted");
    assertThatThrownBy(() -> ask(failovers, choosy, "a")).isSameAs(prices.failure);
    prices.failure = new IOException("not named");
    assertThatThrownBy(() -> ask(failovers, choosy, "a")).isSameAs(prices.failure);
  }

  @Test
  void anExpiredAnswerIsNotGiven() throws Throwable {
    Failovers failovers = builder().build();
    ask(failovers, spec, "a");
    prices.failure = new IOException("down");
    time.advance(Duration.ofHours(1));
    assertThat(ask(failovers, spec, "a")).isNotNull();
    time.advance(Duration.ofNanos(1_000));
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
    assertThat(failovers.books().lostByReason()).containsEntry("expired", 1L);
  }

  @Test
  void theSweepRemovesExpiredAnswers() throws Throwable {
    try (Failovers failovers = builder().sweepInterval(Duration.ofMinutes(30)).build()) {
      ask(failovers, spec, "a");
      failovers.start();
      for (int i = 0; i < 5; i++) {
        time.awaitSleepers(1);
        time.advance(Duration.ofMinutes(31));
      }
      time.awaitSleepers(1);
      assertThat(store.liveEntryCount("price")).isZero();
    }
  }

  @Test
  void aLiveNullTakesThePlaceOfTheStoredAnswer() throws Throwable {
    Failovers failovers = builder().build();
    FailoverSpec<Price> keeping = spec("keeping").tombstones(false).build();
    for (FailoverSpec<Price> at : List.of(spec, keeping)) {
      prices.failure = null;
      ask(failovers, at, "a");
      time.advance(Duration.ofSeconds(1));
      assertThat(failovers.call(at, List.of("a"), () -> null)).isNull();
    }
    prices.failure = new IOException("down");
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
    assertThat(ask(failovers, keeping, "a")).isNotNull();
  }

  @Test
  void whatIsForgottenIsNotGivenAgain() throws Throwable {
    Failovers failovers = builder().build();
    ask(failovers, spec, "a");
    failovers.forget(spec, List.of("a"));
    prices.failure = new IOException("down");
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
  }

  @Test
  void changingAnAnswerDoesNotChangeWhatIsStored() {
    Failovers failovers = builder().build();
    FailoverSpec<List<String>> names =
        FailoverSpec.builder("names", new TypeRef<List<String>>() {})
            .pause(NO_PAUSE, NO_PAUSE)
            .build();
    List<String> live = failovers.call(names, List.of(), () -> new ArrayList<>(List.of("a")));
    live.add("changed");
    for (int i = 0; i < 2; i++) {
      List<String> recovered =
          failovers.call(
              names,
              List.of(),
              () -> {
                throw new IllegalStateException("down");
              });
      assertThat(recovered).containsExactly("a");
      recovered.add("changed");
    }
  }

  @Test
  void anImmutableAnswerIsKeptAsItIs() throws Throwable {
    Failovers failovers = builder().build();
    Price live = ask(failovers, spec, "a");
    prices.failure = new IOException("down");
    assertThat(ask(failovers, spec, "a")).isSameAs(live);
  }

  /** A bean that carries its age in both ways. */
  static final class Country extends Referential implements ReferentialAware {
    private static final long serialVersionUID = 1;
    String name = "";
    transient Boolean told;
    transient Metadata why;

    @Override
    public void setUpToDate(Boolean upToDate) {
      told = upToDate;
    }

    @Override
    public void setAsOf(Instant asOf) {}

    @Override
    public void setMetadata(Metadata metadata) {
      why = metadata;
    }
  }

  @Test
  void answersThatWantToKnowAreToldHowFreshTheyAre() {
    Failovers failovers = builder().build();
    FailoverSpec<Country> countries =
        FailoverSpec.builder("country", Country.class).pause(NO_PAUSE, NO_PAUSE).build();
    Country live = failovers.call(countries, List.of(), Country::new);
    assertThat(live.upToDate()).isTrue();
    assertThat(live.told).isTrue();
    assertThat(live.asOf()).isEqualTo(SettableTime.START);
    Country recovered =
        failovers.call(
            countries,
            List.of(),
            () -> {
              throw new IllegalStateException("down", new IOException("cut"));
            });
    assertThat(recovered).isNotSameAs(live);
    assertThat(recovered.upToDate()).isFalse();
    assertThat(recovered.told).isFalse();
    assertThat(recovered.metadata()).isEqualTo(recovered.why);
    assertThat(recovered.metadata().info())
        .containsEntry("exception-name", "java.lang.IllegalStateException")
        .containsEntry("cause", "down")
        .containsEntry("final-root-cause-name", "java.io.IOException")
        .containsEntry("final-root-cause", "cut");
    assertThat(live.upToDate()).isTrue();
  }

  @Test
  void neverThrowGivesNullWhereItCan() throws Throwable {
    Failovers failovers = builder().exceptionPolicy(ExceptionPolicy.NEVER_THROW).build();
    prices.failure = new IOException("down");
    assertThat(ask(failovers, spec, "a")).isNull();
    FailoverSpec<Integer> count = FailoverSpec.builder("count", int.class).build();
    assertThatThrownBy(
            () ->
                failovers.call(
                    count,
                    List.of(),
                    () -> {
                      throw prices.failure;
                    }))
        .isSameAs(prices.failure);
    assertBooks(failovers, 2, 0);
  }

  @Test
  void theHookMayGiveADefaultAndItsOwnFailureDoesNotCount() throws Throwable {
    Price none = new Price("none", 0);
    AtomicInteger seen = new AtomicInteger();
    RecoveredPayloadHandler hook =
        new RecoveredPayloadHandler() {
          @Override
          @SuppressWarnings("unchecked")
          public <T> T handle(FailoverCall<T> call, T recovered, Throwable cause) {
            seen.incrementAndGet();
            if (recovered != null) {
              throw new IllegalStateException("broken hook");
            }
            return (T) none;
          }
        };
    Failovers failovers = builder().recoveredPayloadHandler(hook).build();
    ask(failovers, spec, "a");
    assertThat(seen).hasValue(0);
    prices.failure = new IOException("down");
    assertThat(ask(failovers, spec, "b")).isSameAs(none);
    assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 100));
    assertThat(failovers.counts().get("price").failed()).isEqualTo(1);
    assertBooks(failovers, 3, 2);
  }

  @Test
  void aStoreThatFailsDoesNotHurtTheCall() throws Throwable {
    FailoverStore broken =
        (FailoverStore)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {FailoverStore.class},
                (proxy, method, args) -> {
                  throw new FailoverStoreException("broken", null);
                });
    Failovers failovers = Failovers.builder(broken).time(time).build();
    try (CapturedLog log = new CapturedLog("failover")) {
      for (int i = 0; i < 3; i++) {
        assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 100));
      }
      prices.failure = new IOException("down");
      assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
      assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
      assertThat(log.messages(Level.WARNING)).hasSize(3);
    }
    assertThat(failovers.counts().get("price").storeFailures()).isEqualTo(3);
    assertThat(failovers.books().lostByReason()).containsEntry("store_failed", 2L);
  }

  @Test
  void anAnswerOfAnotherVersionOrTypeCountsAsMissing() throws Throwable {
    Failovers failovers = builder().build();
    ask(failovers, spec("v1").domain("shared").build(), "a");
    prices.failure = new IOException("down");
    FailoverSpec<Price> next = spec("v2").domain("shared").schemaVersion(2).build();
    assertThatThrownBy(() -> ask(failovers, next, "a")).isSameAs(prices.failure);
    FailoverSpec<Integer> other =
        FailoverSpec.builder("other", Integer.class).domain("shared").build();
    assertThatThrownBy(
            () ->
                failovers.call(
                    other,
                    List.of("a"),
                    () -> {
                      throw prices.failure;
                    }))
        .isSameAs(prices.failure);
    assertThat(failovers.books().lostByReason()).containsEntry("unreadable", 2L);
    assertThat(failovers.counts().get("v2").unreadable()).isEqualTo(1);
    assertThat(ask(failovers, spec("v1b").domain("shared").build(), "a")).isNotNull();
  }

  @Test
  void aCallWithoutAKeyPassesUnprotectedAndIsCounted() throws Throwable {
    Failovers failovers = builder().build();
    Object faceless = new Object();
    assertThat(failovers.call(spec, List.of(faceless), () -> prices.of("a"))).isNotNull();
    prices.failure = new IOException("down");
    assertThatThrownBy(() -> failovers.call(spec, List.of(faceless), () -> prices.of("a")))
        .isSameAs(prices.failure);
    assertThat(failovers.counts().get("price").unkeyable()).isEqualTo(2);
    assertThat(failovers.books().lostByReason()).containsEntry("unkeyable", 1L);
    assertThat(store.liveEntryCount("price")).isZero();
  }

  @Test
  void aKeyFunctionDecidesWhatCounts() throws Throwable {
    Failovers failovers = builder().build();
    FailoverSpec<Price> bySku =
        spec("by-sku").keyGenerator((at, args) -> args.get(0).toString()).build();
    failovers.call(bySku, List.of("a", new Object()), () -> prices.of("a"));
    prices.failure = new IOException("down");
    assertThat(failovers.call(bySku, Arrays.asList("a", null), () -> prices.of("a"))).isNotNull();
  }

  @Test
  void troubleIsLoggedWhenItBeginsAndWhenItEnds() throws Throwable {
    Failovers failovers = builder().build();
    try (CapturedLog log = new CapturedLog("failover")) {
      for (int outage = 1; outage <= 2; outage++) {
        prices.failure = null;
        ask(failovers, spec, "a");
        ask(failovers, spec, "a");
        prices.failure = new IOException("down");
        for (int i = 0; i < 5; i++) {
          ask(failovers, spec, "a");
        }
        assertThat(log.messages(Level.WARNING)).hasSize(outage);
        assertThat(log.messages(Level.INFO)).hasSize(outage - 1);
      }
      assertThat(log.messages(Level.WARNING).get(0))
          .contains("name=price", "cause=java.io.IOException");
      assertThat(log.thrown(Level.WARNING)).isEmpty();
    }
  }

  @Test
  void publishersAreToldAndCannotHurt() throws Throwable {
    List<Metrics> events = new ArrayList<>();
    Failovers failovers =
        builder()
            .publisher(
                event -> {
                  throw new IllegalStateException("broken");
                })
            .publisher(events::add)
            .build();
    ask(failovers, spec, "a");
    prices.failure = new IOException("down");
    ask(failovers, spec, "a");
    assertThat(events)
        .extracting(event -> event.fields().get("failover-action"))
        .containsExactly("upstream", "upstream", "recover");
    assertThat(events.get(2).fields())
        .containsEntry("failover-is-recovered", "true")
        .containsEntry("failover-exception", "java.io.IOException")
        .containsEntry("failover-recovery-failure-message", "");
  }

  @Test
  void pointsBeyondTheBoundAreCountedTogether() throws Throwable {
    Failovers failovers = builder().maxPoints(2).build();
    for (int i = 0; i < 5; i++) {
      ask(failovers, spec("p" + i).build(), "a");
    }
    assertThat(failovers.counts()).containsOnlyKeys("p0", "p1", "_others_");
    assertThat(failovers.counts().get("_others_").calls()).isEqualTo(3);
  }

  @Test
  void mistakesShowAtTheStart() {
    Failovers failovers = builder().build();
    failovers.register(spec);
    failovers.register(spec);
    assertThatThrownBy(() -> failovers.register(spec("price").build()))
        .hasMessageContaining("'price' is taken");
    assertThatThrownBy(
            () -> failovers.register(FailoverSpec.builder("open", Runnable.class).build()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                FailoverSpec.builder("x".repeat(51), Price.class)
                    .softTimeout(Duration.ofSeconds(2))
                    .hardTimeout(Duration.ofSeconds(1))
                    .build())
        .hasMessageContaining("1 to 50 characters")
        .hasMessageContaining("softTimeout must be less than hardTimeout");
    assertThatThrownBy(() -> builder().maxPoints(0).timedCalls(0).build())
        .hasMessageContaining("maxPoints")
        .hasMessageContaining("timedCalls");
  }

  @Test
  void closingTwiceIsClosingOnce() {
    Failovers failovers = builder().build();
    failovers.start();
    assertThat(failovers.close(Duration.ofSeconds(5))).isEqualTo(new CloseReport(0));
    failovers.close();
    assertThatThrownBy(failovers::start).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theTextOfAStoredAnswerDoesNotShowIt() throws Throwable {
    ask(builder().build(), spec, "secret");
    ReferentialPayload stored = store.findAll("price").get(0);
    assertThat(stored.toString()).doesNotContain("secret");
  }
}
