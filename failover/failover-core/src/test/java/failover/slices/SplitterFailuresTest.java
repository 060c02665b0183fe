package failover.slices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverCall;
import failover.FailoverSpec;
import failover.Failovers;
import failover.observe.FailoverLifecycleListener;
import failover.slices.Catalog.Item;
import failover.slices.Catalog.Items;
import failover.slices.PayloadSplitterExecutionException.Operation;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Splitters that do what they must not: callers do not notice. */
class SplitterFailuresTest {

  /** What a splitter may do wrong. */
  private enum Fault {
    THROWS,
    THROWS_AN_ERROR,
    RETURNS_NULL,
    RETURNS_NOTHING,
    RETURNS_A_NULL,
    RETURNS_NO_ARGUMENTS
  }

  /** Well behaved unless it is told otherwise. */
  private static final class Moody implements PayloadSplitter<List<Item>, Item> {
    private final Items items = new Items();
    private @Nullable Operation at;
    private Fault fault = Fault.THROWS;
    private Type type = Item.class;
    private int merges;

    @Override
    public Type sliceType() {
      return type;
    }

    @Override
    public List<StoreContext<Item>> splitOnStore(StoreContext<List<Item>> whole) {
      return at == Operation.SPLIT_ON_STORE
          ? wrong(new StoreContext<>(whole.call(), null, null))
          : items.splitOnStore(whole);
    }

    @Override
    public List<RecoverContext<Item>> splitOnRecover(RecoverContext<List<Item>> whole) {
      return at == Operation.SPLIT_ON_RECOVER
          ? wrong(new RecoverContext<>(whole.call(), null, null, null, null))
          : items.splitOnRecover(whole);
    }

    @Override
    public RecoverContext<List<Item>> merge(List<RecoverContext<Item>> slices) {
      merges++;
      if (at == Operation.MERGE) {
        List<RecoverContext<List<Item>>> wrong = wrong(null);
        return wrong == null ? null : wrong.get(0);
      }
      return items.merge(slices);
    }

    private <C> List<C> wrong(C withoutArguments) {
      return switch (fault) {
        case THROWS -> throw new IllegalStateException("moody");
        case THROWS_AN_ERROR -> throw new AssertionError("moody");
        case RETURNS_NULL -> null;
        case RETURNS_NOTHING -> List.of();
        case RETURNS_A_NULL -> Arrays.asList((C) null);
        case RETURNS_NO_ARGUMENTS -> Arrays.asList(withoutArguments);
      };
    }
  }

  private final SettableTime time = new SettableTime();
  private final InMemoryFailoverStore store = new InMemoryFailoverStore();
  private final Catalog catalog = new Catalog();
  private final Moody moody = new Moody();
  private final FailoverSpec<List<Item>> items =
      Catalog.items("items").domain("shop").payloadSplitter(moody).build();
  private final List<Throwable> troubles = new ArrayList<>();
  private final Failovers failovers =
      Failovers.builder(store)
          .time(time)
          .lifecycleListener(
              new FailoverLifecycleListener() {
                @Override
                public void recovered(
                    FailoverSpec<?> spec,
                    Throwable cause,
                    boolean found,
                    @Nullable Throwable trouble,
                    long nanos) {
                  if (trouble != null) {
                    troubles.add(trouble);
                  }
                }
              })
          .build();

  @Test
  void whenStoringTheCallerHasItsAnswerAndTheOlderSlicesStay() throws IOException {
    for (Fault fault : Fault.values()) {
      new SplitterFailuresTest().assertStores(fault);
    }
  }

  private void assertStores(Fault fault) throws IOException {
    catalog.ask(failovers, items, 1);
    time.advance(Duration.ofSeconds(1));
    catalog.version = 2;
    moody.fault = fault;
    moody.at = Operation.SPLIT_ON_STORE;
    try (CapturedLog log = new CapturedLog("failover")) {
      assertThat(catalog.ask(failovers, items, 1)).containsExactly(catalog.item(1));
      assertThat(catalog.ask(failovers, items, 1)).containsExactly(catalog.item(1));
      assertThat(log.messages(Level.WARNING))
          .singleElement()
          .asString()
          .contains("name=items", "operation=split_on_store");
    }
    assertThat(failovers.counts().get("items").splitterFailures()).isEqualTo(2);
    moody.at = null;
    catalog.isDown = true;
    assertThat(catalog.ask(failovers, items, 1)).containsExactly(new Item(1, "v1"));
    assertThat(failovers.ledger().unaccounted()).isZero();
  }

  @Test
  void whenRecoveringTheCallerGetsTheVeryThrowable() throws IOException {
    for (Fault fault : Fault.values()) {
      new SplitterFailuresTest().assertRecovers(fault);
    }
  }

  private void assertRecovers(Fault fault) throws IOException {
    catalog.ask(failovers, items, 1);
    catalog.isDown = true;
    moody.fault = fault;
    moody.at = Operation.SPLIT_ON_RECOVER;
    try (CapturedLog log = new CapturedLog("failover")) {
      assertThatThrownBy(() -> catalog.ask(failovers, items, 1)).isSameAs(catalog.down);
      assertThat(log.messages(Level.WARNING)).anyMatch(it -> it.contains("split_on_recover"));
    }
    assertThat(failovers.counts().get("items").splitterFailures()).isPositive();
    assertThat(failovers.ledger().lostByReason()).containsEntry("splitter_failed", 1L);
    assertThat(troubles).singleElement().isInstanceOf(PayloadSplitterExecutionException.class);
  }

  @Test
  void whenMergingTheCallerGetsTheVeryThrowable() throws IOException {
    for (Fault fault : EnumSet.of(Fault.THROWS, Fault.THROWS_AN_ERROR, Fault.RETURNS_NULL)) {
      new SplitterFailuresTest().assertMerges(fault);
    }
  }

  private void assertMerges(Fault fault) throws IOException {
    catalog.ask(failovers, items, 1);
    catalog.isDown = true;
    moody.fault = fault;
    moody.at = Operation.MERGE;
    assertThatThrownBy(() -> catalog.ask(failovers, items, 1)).isSameAs(catalog.down);
    assertThat(failovers.ledger().lostByReason()).containsEntry("splitter_failed", 1L);
  }

  @Test
  void whatHappenedIsSaidWithThePointAndItsSplitter() throws IOException {
    catalog.ask(failovers, items, 1);
    catalog.isDown = true;
    moody.at = Operation.MERGE;
    assertThatThrownBy(() -> catalog.ask(failovers, items, 1)).isSameAs(catalog.down);
    PayloadSplitterExecutionException failure = (PayloadSplitterExecutionException) troubles.get(0);
    assertThat(failure.operation()).isEqualTo(Operation.MERGE);
    assertThat(failure.splitter()).isEqualTo(Moody.class.getName());
    assertThat(failure.name()).isEqualTo("items");
    assertThat(failure.domain()).isEqualTo("shop");
    assertThat(failure.expiry()).isEqualTo(1);
    assertThat(failure.unit()).isEqualTo(ChronoUnit.HOURS);
    assertThat(failure).hasRootCauseMessage("moody");
    assertThat(failure)
        .hasMessageContainingAll("merge", "Moody", "'items'", "'shop'", "1 HOURS")
        .hasMessageNotContaining("moody");
  }

  @Test
  void withoutAnySliceNothingIsMerged() {
    catalog.isDown = true;
    assertThatThrownBy(() -> catalog.ask(failovers, items, 1)).isSameAs(catalog.down);
    assertThat(moody.merges).isZero();
  }

  @Test
  void aRemovalByHandSaysThatTheSplitterFails() throws IOException {
    catalog.ask(failovers, items, 1);
    moody.at = Operation.SPLIT_ON_RECOVER;
    assertThatThrownBy(() -> failovers.forget(items, List.of(List.of(1))))
        .isInstanceOf(PayloadSplitterExecutionException.class);
  }

  @Test
  void aTypeOfSlicesThatCannotBeKeptIsRefusedAtTheStart() {
    moody.type = Object.class;
    FailoverSpec<List<Item>> open = Catalog.items("open").payloadSplitter(moody).build();
    assertThatThrownBy(() -> failovers.register(open))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in slices of java.lang.Object");
    moody.type = null;
    assertThatThrownBy(() -> Catalog.items("none").payloadSplitter(moody).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sliceType");
  }

  @Test
  void theWholeNeedNotBeOfATypeThatCouldBeKept() {
    FailoverSpec<Object> page =
        FailoverSpec.builder("page", Object.class)
            .payloadSplitter(
                new AbstractPayloadSplitter<Object, Item>(Item.class) {
                  @Override
                  protected List<Item> splitIntoSlices(FailoverCall<?> call, Object whole) {
                    return List.of((Item) whole);
                  }

                  @Override
                  protected List<? extends @Nullable Object> keyArgsForSlice(
                      FailoverCall<?> call, Item slice) {
                    return Arrays.<@Nullable Object>asList(slice.id());
                  }

                  @Override
                  protected List<? extends List<? extends @Nullable Object>> keyArgsToRecover(
                      FailoverCall<?> call) {
                    return List.of(call.args());
                  }

                  @Override
                  protected MergeResult<Object> mergeSlices(List<RecoverContext<Item>> slices) {
                    return new MergeResult<>(slices.get(0).payload(), slices.get(0).args());
                  }
                })
            .build();
    failovers.call(page, List.of(1), () -> catalog.item(1));
    assertThat(
            failovers.<Object, RuntimeException>call(
                page,
                List.of(1),
                () -> {
                  throw new IllegalStateException("down");
                }))
        .isEqualTo(catalog.item(1));
  }

  @Test
  void aSpecWithAnotherSplitterHasOtherRules() throws IOException {
    catalog.ask(failovers, items, 1);
    FailoverSpec<List<Item>> other =
        Catalog.items("items").domain("shop").payloadSplitter(new Items()).build();
    assertThatThrownBy(() -> catalog.ask(failovers, other, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("other rules");
  }

  @Test
  void callsThatSayNoIdsNeedASplitterThatKnowsThem() throws IOException {
    FailoverSpec<List<Item>> plain = Catalog.items("plain").payloadSplitter(new Items()).build();
    failovers.call(plain, List.of("a", "b"), () -> catalog.items(List.of(1)));
    assertThatThrownBy(
            () ->
                failovers.call(
                    plain,
                    List.of("a", "b"),
                    () -> {
                      throw catalog.down;
                    }))
        .isSameAs(catalog.down);
    assertThat(failovers.counts().get("plain").splitterFailures()).isPositive();
  }
}
