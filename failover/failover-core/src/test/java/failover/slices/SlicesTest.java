package failover.slices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverResult;
import failover.FailoverResult.Freshness;
import failover.FailoverSpec;
import failover.Failovers;
import failover.observe.FailoverLifecycleListener;
import failover.observe.ObservablePublisher.Metrics;
import failover.slices.Catalog.Item;
import failover.slices.Catalog.Items;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Lists that are kept by their elements. */
class SlicesTest {
  private static final Instant NOW = SettableTime.START;

  private final SettableTime time = new SettableTime();
  private final InMemoryFailoverStore store = new InMemoryFailoverStore();
  private final Catalog catalog = new Catalog();
  private final FailoverSpec<List<Item>> items =
      Catalog.items("items").payloadSplitter(new Items()).build();
  private final Failovers failovers = Failovers.builder(store).time(time).build();

  private void later() {
    time.advance(Duration.ofMinutes(1));
    catalog.version++;
  }

  private void goDown() {
    later();
    catalog.isDown = true;
  }

  private static Item item(int id, int version) {
    return new Item(id, "v" + version);
  }

  @Test
  void slicesOfSeveralCallsAnswerOneThatNobodyHasMadeBefore() throws IOException {
    assertThat(catalog.ask(failovers, items, 1, 2)).containsExactly(item(1, 1), item(2, 1));
    later();
    catalog.ask(failovers, items, 3, 1);
    goDown();
    assertThat(catalog.ask(failovers, items, 3, 2, 1))
        .containsExactly(item(3, 2), item(2, 1), item(1, 2));
    assertThat(catalog.ask(failovers, items, 2)).containsExactly(item(2, 1));
    assertThat(store.liveEntryCount("items")).isEqualTo(3);
    assertThat(failovers.counts().get("items").stored()).isEqualTo(4);
  }

  @Test
  void theWholeIsAsOldAsTheOldestOfItsSlices() throws IOException {
    catalog.ask(failovers, items, 1);
    later();
    catalog.ask(failovers, items, 2);
    goDown();
    FailoverResult<List<Item>> result = catalog.result(failovers, items, 2, 1);
    assertThat(result.asOf()).isEqualTo(NOW);
    assertThat(result.upToDate()).isFalse();
    assertThat(result.cause()).containsSame(catalog.down);
    assertThat(catalog.result(failovers, items, 2).asOf()).isEqualTo(NOW.plusSeconds(60));
  }

  @Test
  void whatIsLiveStaleAndMissingIsToldById() throws IOException {
    FailoverResult<List<Item>> live = catalog.result(failovers, items, 1, 2);
    assertThat(live.freshnessOf(1)).isEqualTo(Freshness.LIVE);
    assertThat(live.slices()).isEmpty();
    goDown();
    FailoverResult<List<Item>> partial = catalog.result(failovers, items, 2, 7, 1);
    assertThat(partial.value()).containsExactly(item(2, 1), item(1, 1));
    assertThat(partial.slices())
        .extracting(slice -> slice.args().get(0) + " " + slice.freshness())
        .containsExactly("2 STALE", "7 MISSING", "1 STALE");
    assertThat(partial.slices().get(0).asOf()).isEqualTo(NOW);
    assertThat(partial.freshnessOf(2)).isEqualTo(Freshness.STALE);
    assertThat(partial.freshnessOf(7)).isEqualTo(Freshness.MISSING);
    assertThat(partial.freshnessOf(8)).isEqualTo(Freshness.MISSING);
  }

  @Test
  void anAnswerThatIsKeptAsAWholeHasNoSlices() throws IOException {
    FailoverSpec<List<Item>> whole = Catalog.items("whole").build();
    assertThat(catalog.result(failovers, whole, 1).freshnessOf(1)).isEqualTo(Freshness.LIVE);
    catalog.isDown = true;
    FailoverResult<List<Item>> stale = catalog.result(failovers, whole, 1);
    assertThat(stale.slices()).isEmpty();
    assertThat(stale.freshnessOf(1)).isEqualTo(Freshness.STALE);
  }

  @Test
  void withoutAnySliceTheCallerGetsTheVeryThrowable() throws IOException {
    catalog.ask(failovers, items, 1);
    goDown();
    assertThatThrownBy(() -> catalog.ask(failovers, items, 7, 8)).isSameAs(catalog.down);
    assertThat(failovers.ledger().lostByReason()).containsEntry("nothing_stored", 1L);
    assertThat(failovers.counts().get("items").splitterFailures()).isZero();
  }

  @Test
  void slicesExpireEachByItself() throws IOException {
    FailoverSpec<List<Item>> brief =
        Catalog.items("brief").payloadSplitter(new Items()).expiry(Duration.ofSeconds(90)).build();
    catalog.ask(failovers, brief, 1);
    later();
    catalog.ask(failovers, brief, 2);
    goDown();
    FailoverResult<List<Item>> result = catalog.result(failovers, brief, 1, 2);
    assertThat(result.value()).containsExactly(item(2, 2));
    assertThat(result.freshnessOf(1)).isEqualTo(Freshness.MISSING);
    later();
    assertThatThrownBy(() -> catalog.ask(failovers, brief, 1, 2)).isSameAs(catalog.down);
    assertThat(failovers.ledger().lostByReason()).containsEntry("expired", 1L);
  }

  @Test
  void aPointMayWantAllSlicesOrAShareOfThem() throws IOException {
    FailoverSpec<List<Item>> all =
        Catalog.items("all")
            .domain("items")
            .payloadSplitter(new Items())
            .partialRecovery(PartialRecovery.FAIL)
            .build();
    FailoverSpec<List<Item>> most =
        Catalog.items("most")
            .domain("items")
            .payloadSplitter(new Items())
            .partialRecovery(PartialRecovery.atLeast(0.75))
            .build();
    catalog.ask(failovers, items, 1, 2, 3);
    goDown();
    assertThat(catalog.ask(failovers, all, 1, 2, 3)).hasSize(3);
    assertThat(catalog.ask(failovers, most, 1, 2, 3, 7)).hasSize(3);
    assertThat(catalog.ask(failovers, items, 1, 7, 8, 9)).hasSize(1);
    assertThatThrownBy(() -> catalog.ask(failovers, all, 1, 2, 3, 7)).isSameAs(catalog.down);
    assertThatThrownBy(() -> catalog.ask(failovers, most, 1, 2, 7)).isSameAs(catalog.down);
    assertThat(failovers.ledger().lostByReason()).containsEntry("incomplete", 2L);
    for (int found = 1; found < 100; found++) { // shares that binary fractions do not hit
      assertThat(PartialRecovery.atLeast(found / 100.0).allows(found, 100)).isTrue();
      assertThat(PartialRecovery.atLeast(found / 100.0).allows(found - 1, 100)).isFalse();
    }
    assertThatThrownBy(() -> PartialRecovery.atLeast(1.1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void pointsOfOneDomainShareSlicesWithThoseForSingleOnes() throws IOException {
    FailoverSpec<List<Item>> many =
        Catalog.items("many").domain("item").payloadSplitter(new Items()).build();
    FailoverSpec<Item> single = FailoverSpec.builder("single", Item.class).domain("item").build();
    catalog.ask(failovers, many, 1, 2);
    failovers.call(single, List.of(3), () -> catalog.item(3));
    goDown();
    assertThat(
            failovers.<Item, IOException>call(
                single,
                List.of(2),
                () -> {
                  throw catalog.down;
                }))
        .isEqualTo(item(2, 1));
    assertThat(catalog.ask(failovers, many, 3, 1)).containsExactly(item(3, 1), item(1, 1));
  }

  @Test
  void idsThatComeTwiceOrAreNullDoNoHarm() throws IOException {
    catalog.ask(failovers, items, 1, 1, null, 2);
    assertThat(store.liveEntryCount("items")).isEqualTo(3);
    goDown();
    assertThat(catalog.ask(failovers, items, 2, 1, 2, null))
        .containsExactly(item(2, 1), item(1, 1), item(2, 1), new Item(null, "v1"));
    failovers.stored().forgetAll("items");
    catalog.isDown = false;
    catalog.ask(failovers, items, 1);
    catalog.isDown = true;
    assertThat(catalog.result(failovers, items, null, 1).freshnessOf((Object) null))
        .isEqualTo(Freshness.MISSING);
  }

  @Test
  void aRequestForNothingIsNoMistakeOfTheSplitter() throws IOException {
    assertThat(catalog.ask(failovers, items)).isEmpty();
    catalog.isDown = true;
    assertThatThrownBy(() -> catalog.ask(failovers, items)).isSameAs(catalog.down);
    assertThat(failovers.counts().get("items").splitterFailures()).isZero();
  }

  @Test
  void whatIsDoneToAnAnswerDoesNotChangeWhatIsStored() throws IOException {
    List<Item> live = catalog.ask(failovers, items, 1, 2);
    live.clear();
    goDown();
    catalog.ask(failovers, items, 1, 2).clear();
    assertThat(catalog.ask(failovers, items, 1, 2)).hasSize(2);
  }

  @Test
  void anAnswerThatIsNotToBeKeptLeavesTheSlices() throws IOException {
    FailoverSpec<List<Item>> choosy =
        Catalog.items("choosy")
            .payloadSplitter(new Items())
            .keepIf(answer -> answer.size() > 1)
            .build();
    catalog.ask(failovers, choosy, 1, 2);
    later();
    catalog.ask(failovers, choosy, 1);
    goDown();
    assertThat(catalog.ask(failovers, choosy, 1)).containsExactly(item(1, 1));
  }

  @Test
  void aNullForOneIdRemovesItsSliceAndForSeveralNone() throws IOException {
    catalog.ask(failovers, items, 1, 2);
    later();
    assertThat(failovers.<List<Item>, IOException>call(items, List.of(List.of(1, 2)), () -> null))
        .isNull();
    failovers.<List<Item>, IOException>call(items, List.of(List.of(1)), () -> null);
    goDown();
    assertThatThrownBy(() -> catalog.ask(failovers, items, 1)).isSameAs(catalog.down);
    assertThat(catalog.ask(failovers, items, 1, 2)).containsExactly(item(2, 1));
  }

  @Test
  void soDoesAFailureThatSaysThatItIsGone() throws IOException {
    FailoverSpec<List<Item>> known =
        Catalog.items("known")
            .payloadSplitter(new Items())
            .removesOn(List.of(NoSuchElementException.class))
            .build();
    NoSuchElementException gone = new NoSuchElementException("gone");
    catalog.ask(failovers, known, 1, 2);
    later();
    for (List<Integer> ids : List.of(List.of(1, 2), List.of(1))) {
      assertThatThrownBy(
              () ->
                  failovers.call(
                      known,
                      List.of(ids),
                      () -> {
                        throw gone;
                      }))
          .isSameAs(gone);
    }
    goDown();
    assertThat(catalog.ask(failovers, known, 1, 2)).containsExactly(item(2, 1));
  }

  @Test
  void slicesAreExpiredAndForgottenByTheArgumentsOfACall() throws IOException {
    catalog.ask(failovers, items, 1, 2, 3, 4);
    time.advance(Duration.ofSeconds(1));
    failovers.expire(items, List.of(List.of(1, 2)));
    failovers.forget(items, List.of(List.of(3, 9)));
    assertThat(store.liveEntryCount("items")).isEqualTo(3);
    catalog.isDown = true;
    assertThat(catalog.ask(failovers, items, 1, 2, 3, 4)).containsExactly(item(4, 1));
    assertThat(failovers.stored().entries("items", 10)).hasSize(3);
  }

  @Test
  void answersThatComeLaterAreSplitAndMergedToo() {
    CompletableFuture<List<Item>> source = new CompletableFuture<>();
    CompletableFuture<List<Item>> live =
        failovers.callLater(items, List.of(List.of(1, 2)), () -> source);
    source.complete(List.of(item(1, 1), item(2, 1)));
    assertThat(live).isCompleted();
    CompletableFuture<List<Item>> recovered =
        failovers.callLater(
            items, List.of(List.of(2)), () -> CompletableFuture.failedFuture(catalog.down));
    assertThat(recovered).isCompletedWithValue(List.of(item(2, 1)));
  }

  @Test
  void listenersAndPublishersAreToldOfAnswersWithSlicesMissing() throws IOException {
    List<String> told = new ArrayList<>();
    List<Metrics> events = new ArrayList<>();
    Failovers observed =
        Failovers.builder(store)
            .time(time)
            .publisherQueue(0)
            .publisher(events::add)
            .lifecycleListener(
                new FailoverLifecycleListener() {
                  @Override
                  public void recoveredPartially(FailoverSpec<?> spec, int missing, int total) {
                    told.add(spec.name() + " " + missing + " of " + total);
                  }
                })
            .build();
    catalog.ask(observed, items, 1, 2);
    goDown();
    catalog.ask(observed, items, 1, 2);
    assertThat(told).isEmpty();
    catalog.ask(observed, items, 1, 2, 3);
    assertThatThrownBy(() -> catalog.ask(observed, items, 8)).isSameAs(catalog.down);
    assertThat(told).containsExactly("items 1 of 3");
    assertThat(events)
        .filteredOn(event -> "recover-partial".equals(event.fields().get("failover-action")))
        .singleElement()
        .extracting(Metrics::fields)
        .satisfies(
            fields ->
                assertThat(fields)
                    .containsEntry("failover-name", "items")
                    .containsEntry("failover-missing", "1")
                    .containsEntry("failover-total", "3"));
  }
}
