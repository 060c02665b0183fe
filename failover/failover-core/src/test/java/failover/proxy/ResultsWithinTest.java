package failover.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failover;
import failover.FailoverResult;
import failover.FailoverSpec;
import failover.Failovers;
import failover.Failovers.PointCounts;
import failover.TypeRef;
import failover.store.InMemoryFailoverStore;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A recovered answer never says that it is up to date. */
class ResultsWithinTest {
  private final Failovers failovers = Failovers.builder(new InMemoryFailoverStore()).build();

  record Price(long cents) {}

  interface Later {
    @Failover(name = "later")
    CompletionStage<FailoverResult<Price>> price();
  }

  interface LaterStill {
    @Failover(name = "later")
    CompletableFuture<FailoverResult<Price>> price();
  }

  interface Perhaps {
    @Failover(name = "perhaps")
    Optional<FailoverResult<Price>> price();
  }

  interface Many {
    @Failover(name = "many")
    List<FailoverResult<Price>> prices();
  }

  interface Named {
    @Failover(name = "named")
    Map<String, ? extends FailoverResult<Price>> prices();
  }

  interface Several {
    @Failover(name = "several")
    FailoverResult<Price>[] prices();
  }

  interface Twice {
    @Failover(name = "twice")
    FailoverResult<FailoverResult<Price>> price();
  }

  record Offer(String shop, FailoverResult<Price> price) {}

  interface Within {
    @Failover(name = "within")
    Offer offer();
  }

  @Test
  void aResultWithinAnAnswerIsRefusedWithTheFix() {
    refused(Later.class, () -> null);
    refused(LaterStill.class, () -> null);
    refused(Perhaps.class, () -> null);
    refused(Many.class, () -> null);
    refused(Named.class, () -> null);
    refused(Several.class, () -> null);
    refused(Twice.class, () -> null);
    refused(Within.class, () -> null);
  }

  private <I> void refused(Class<I> type, I target) {
    assertThatThrownBy(() -> FailoverProxies.protect(failovers, type, target))
        .as(type.getSimpleName())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("FailoverResult")
        .hasMessageContaining("up to date")
        .hasMessageContaining("have the method return FailoverResult");
  }

  @Test
  void soIsOneInASpec() {
    for (Type type :
        List.of(
            FailoverResult.class,
            FailoverResult[].class,
            new TypeRef<Optional<List<FailoverResult<Price>[]>>>() {}.type())) {
      assertThatThrownBy(() -> FailoverSpec.ofType("price", type).build())
          .as(type.getTypeName())
          .hasMessageContaining("FailoverSpec price: type must not contain FailoverResult");
    }
    assertThat(FailoverSpec.builder("price", new TypeRef<List<Price>>() {}).build().name())
        .isEqualTo("price");
  }

  interface Prices {
    @Failover(name = "inner", pause = "0s")
    FailoverResult<Price> inner(String sku);
  }

  interface Shop {
    @Failover(name = "outer", pause = "0s")
    FailoverResult<Price> outer(String sku);

    @Failover(name = "timed", pause = "0s", hardTimeout = "1m")
    FailoverResult<Price> timed(String sku);
  }

  /** Hands on what another point gives. */
  private record Reseller(Prices prices) implements Shop {
    @Override
    public FailoverResult<Price> outer(String sku) {
      return prices.inner(sku);
    }

    @Override
    public FailoverResult<Price> timed(String sku) {
      return prices.inner(sku);
    }
  }

  @Test
  void whatAnotherPointHasRecoveredKeepsItsAgeAndIsNotStored() {
    AtomicBoolean isDown = new AtomicBoolean();
    Prices prices =
        FailoverProxies.protect(
            failovers,
            Prices.class,
            sku -> {
              if (isDown.get()) {
                throw new IllegalStateException("down");
              }
              return FailoverResult.live(new Price(1), Instant.EPOCH);
            });
    Shop shop = FailoverProxies.protect(failovers, Shop.class, new Reseller(prices));
    FailoverResult<Price> live = prices.inner("a");
    assertThat(live.upToDate()).isTrue();
    isDown.set(true);
    for (FailoverResult<Price> given : List.of(shop.outer("a"), shop.timed("a"))) {
      assertThat(given.value()).isEqualTo(new Price(1));
      assertThat(given.upToDate()).isFalse();
      assertThat(given.asOf()).isEqualTo(live.asOf());
      assertThat(given.cause().orElseThrow()).hasMessage("down");
    }
    assertThat(failovers.counts().get("outer"))
        .returns(1L, PointCounts::recovered)
        .returns(0L, PointCounts::stored);
    assertThat(failovers.counts().get("timed").stored()).isZero();
    assertThat(failovers.stored().entries("outer", 10)).isEmpty();
    isDown.set(false);
    shop.outer("a");
    assertThat(failovers.counts().get("outer").stored()).isEqualTo(1);
  }

  interface Stock {
    @Failover(name = "stock", pause = "0s")
    Price price(String sku);
  }

  interface Catalog {
    @Failover(name = "catalog", pause = "0s")
    FailoverResult<Price> doubled(String sku);
  }

  @Test
  void aResultThatCallsItselfLiveIsNotIfItWasMadeOfAStoredAnswer() {
    AtomicBoolean isDown = new AtomicBoolean();
    Stock stock =
        FailoverProxies.protect(
            failovers,
            Stock.class,
            sku -> {
              if (isDown.get()) {
                throw new IllegalStateException("down");
              }
              return new Price(1);
            });
    Catalog catalog =
        FailoverProxies.protect(
            failovers,
            Catalog.class,
            sku -> FailoverResult.live(new Price(2 * stock.price(sku).cents()), Instant.MAX));
    assertThat(catalog.doubled("a").upToDate()).isTrue();
    Instant asOf = failovers.stored().entries("stock", 1).get(0).asOf();
    isDown.set(true);
    FailoverResult<Price> given = catalog.doubled("a");
    assertThat(given.value()).isEqualTo(new Price(2));
    assertThat(given.upToDate()).isFalse();
    assertThat(given.asOf()).isEqualTo(asOf);
    assertThat(given.cause().orElseThrow()).hasMessage("down");
    assertThat(failovers.counts().get("catalog").stored()).isEqualTo(1);
  }
}
