package failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Prices.Price;
import failover.Referential.Metadata;
import failover.store.ReferentialPayload;
import failover.store.WriteSkippingFailoverStore;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StoredAnswersTest extends PricesFixture {

  @Test
  void anExpiredAnswerIsNotGiven() throws Throwable {
    Failovers failovers = builder().build();
    ask(failovers, spec, "a");
    prices.failure = new IOException("down");
    time.advance(Duration.ofHours(1));
    assertThat(ask(failovers, spec, "a")).isNotNull();
    time.advance(Duration.ofNanos(1_000));
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
    assertThat(failovers.ledger().lostByReason()).containsEntry("expired", 1L);
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

  /** A bean that keeps what it is told of its age. */
  static final class Rate implements ReferentialAware {
    int cents;
    @Nullable Boolean upToDate;
    @Nullable Instant asOf;
    @Nullable Metadata metadata;

    @Override
    public void setUpToDate(Boolean upToDate) {
      this.upToDate = upToDate;
    }

    @Override
    public void setAsOf(Instant asOf) {
      this.asOf = asOf;
    }

    @Override
    public void setMetadata(Metadata metadata) {
      this.metadata = metadata;
    }
  }

  @Test
  void equalAnswersThatCarryTheirAgeAreWrittenOnce() {
    WriteSkippingFailoverStore skipping = new WriteSkippingFailoverStore(store);
    Failovers failovers = Failovers.builder(skipping).time(time).build();
    FailoverSpec<Rate> rates =
        FailoverSpec.builder("rate", Rate.class).pause(NO_PAUSE, NO_PAUSE).build();
    Rate shared = new Rate();
    for (int i = 0; i < 100; i++) {
      boolean isNew = i % 2 == 0;
      Rate live = failovers.call(rates, List.of("a"), () -> isNew ? new Rate() : shared);
      assertThat(live.upToDate).isTrue();
      assertThat(live.asOf).isEqualTo(time.instant());
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(skipping.skipped()).isEqualTo(99);
    Rate recovered =
        failovers.call(
            rates,
            List.of("a"),
            () -> {
              throw new IllegalStateException("down");
            });
    assertThat(recovered.upToDate).isFalse();
    assertThat(recovered.asOf).isEqualTo(SettableTime.START);
    assertThat(recovered.metadata.info()).containsEntry("cause", "down");
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
    assertThat(failovers.ledger().lostByReason()).containsEntry("unreadable", 2L);
    assertThat(failovers.counts().get("v2").unreadable()).isEqualTo(1);
    assertThat(ask(failovers, spec("v1b").domain("shared").build(), "a")).isNotNull();
  }

  @Test
  void answersThatCannotBeReadAreNamedOncePerPoint() throws Throwable {
    Failovers failovers = builder().build();
    ask(failovers, spec("v1").domain("shared").build(), "a");
    prices.failure = new IOException("down");
    FailoverSpec<Price> next = spec("v2").domain("shared").schemaVersion(2).build();
    try (CapturedLog log = new CapturedLog("failover")) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> ask(failovers, next, "a")).isSameAs(prices.failure);
      }
      assertThat(log.messages(Level.WARNING))
          .filteredOn(line -> line.contains("cannot be read"))
          .singleElement()
          .asString()
          .contains("name=v2", "another schema version");
    }
    assertThat(failovers.counts().get("v2").unreadable()).isEqualTo(3);
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
    assertThat(failovers.ledger().lostByReason()).containsEntry("unkeyable", 1L);
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
  void theTextOfAStoredAnswerDoesNotShowIt() throws Throwable {
    ask(builder().build(), spec, "secret");
    ReferentialPayload stored = store.find(store.entries("price", 1).get(0).key()).orElseThrow();
    assertThat(stored.toString()).doesNotContain("secret");
  }
}
