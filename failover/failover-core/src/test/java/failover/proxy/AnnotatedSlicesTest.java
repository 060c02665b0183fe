package failover.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failover;
import failover.FailoverResult;
import failover.FailoverResult.Freshness;
import failover.FailoverSpec;
import failover.Failovers;
import failover.slices.Catalog;
import failover.slices.Catalog.Item;
import failover.slices.Catalog.Items;
import failover.slices.PartialRecovery;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.log.CapturedLog;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Annotations that name splitters. */
class AnnotatedSlicesTest {
  private static final AnnotatedPoints POINTS =
      AnnotatedPoints.plain().withSplitters(Map.of("items", new Items()));

  /** An argument that allows no key. */
  static final class Filter {}

  interface Shop {
    @Failover(name = "items", payloadSplitter = "items", pause = "0s")
    List<Item> items(List<Integer> ids) throws IOException;

    @Failover(name = "fresh", domain = "items", payloadSplitter = "items", pause = "0s")
    FailoverResult<List<Item>> fresh(List<Integer> ids) throws IOException;

    @Failover(name = "later", domain = "items", payloadSplitter = "items", pause = "0s")
    CompletionStage<List<Item>> later(List<Integer> ids);

    @Failover(
        name = "some",
        domain = "items",
        payloadSplitter = "items",
        recoverAll = true,
        leastShare = 0.5,
        pause = "0s")
    List<Item> some(Filter filter) throws IOException;
  }

  private final Catalog catalog = new Catalog();

  private final Shop shop =
      new Shop() {
        @Override
        public List<Item> items(List<Integer> ids) throws IOException {
          return catalog.items(ids);
        }

        @Override
        public FailoverResult<List<Item>> fresh(List<Integer> ids) throws IOException {
          return FailoverResult.live(catalog.items(ids), Instant.EPOCH);
        }

        @Override
        public CompletionStage<List<Item>> later(List<Integer> ids) {
          return catalog.isDown
              ? CompletableFuture.failedFuture(catalog.down)
              : CompletableFuture.completedFuture(List.of());
        }

        @Override
        public List<Item> some(Filter filter) throws IOException {
          return catalog.items(List.of(8, 9));
        }
      };

  @Test
  void methodsOfEveryShapeAreSplitAndMerged() throws Exception {
    Failovers failovers = Failovers.builder(new InMemoryFailoverStore()).build();
    Shop safe = FailoverProxies.protect(failovers, Shop.class, shop, POINTS);
    safe.items(List.of(1, 2));
    safe.some(new Filter());
    catalog.isDown = true;
    assertThat(safe.items(List.of(2, 9))).containsExactly(catalog.item(2), catalog.item(9));
    FailoverResult<List<Item>> fresh = safe.fresh(new ArrayList<>(List.of(7, 1)));
    assertThat(fresh.value()).containsExactly(catalog.item(1));
    assertThat(fresh.freshnessOf(7)).isEqualTo(Freshness.MISSING);
    assertThat(safe.later(List.of(8)).toCompletableFuture())
        .isCompletedWithValue(List.of(catalog.item(8)));
    assertThat(safe.some(new Filter())).hasSize(4);
    assertThat(failovers.counts().get("some").unkeyable()).isZero();
  }

  @Test
  void everyAttributeCounts() throws Exception {
    FailoverSpec<Object> some =
        POINTS.of(Shop.class.getMethod("some", Filter.class)).orElseThrow().spec();
    assertThat(some.recoversAll()).isTrue();
    assertThat(some.partialRecovery()).isEqualTo(PartialRecovery.atLeast(0.5));
    assertThat(some.payloadSplitter()).get().isInstanceOf(Items.class);
    assertThat(some.stored().type()).isEqualTo(Item.class);
    FailoverSpec<Object> items =
        POINTS.of(Shop.class.getMethod("items", List.class)).orElseThrow().spec();
    assertThat(items.recoversAll()).isFalse();
    assertThat(items.partialRecovery()).isEqualTo(PartialRecovery.PARTIAL);
  }

  interface Unknown {
    @Failover(name = "unknown", payloadSplitter = "nobody")
    List<Item> items(List<Integer> ids);
  }

  interface WithoutSplitter {
    @Failover(name = "filtered", recoverAll = true)
    List<Item> items(String filter);
  }

  @Test
  void anUnknownNameFailsTheStartWithTheKnownOnes() {
    Failovers failovers = Failovers.builder(new InMemoryFailoverStore()).build();
    assertThatThrownBy(
            () -> FailoverProxies.protect(failovers, Unknown.class, ids -> List.of(), POINTS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "payloadSplitter of failover 'unknown' must be one of [items] but was 'nobody'");
  }

  @Test
  void recoverAllWithoutASplitterIsAWarning() {
    Failovers failovers = Failovers.builder(new InMemoryFailoverStore()).build();
    try (CapturedLog log = new CapturedLog("failover")) {
      FailoverProxies.protect(failovers, WithoutSplitter.class, filter -> List.of());
      assertThat(log.messages(Level.WARNING))
          .singleElement()
          .asString()
          .contains("recoverAll has no effect without a payloadSplitter", "name=filtered");
    }
  }
}
