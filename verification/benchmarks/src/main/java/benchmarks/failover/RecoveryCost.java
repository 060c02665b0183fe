package benchmarks.failover;

import benchmarks.failover.Shop.Basket;
import benchmarks.failover.Shop.Price;
import failover.Failovers;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** What a call costs that is answered from the store, while the source is left alone. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 6, time = 1)
@Fork(2)
public class RecoveryCost {
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext(ShopBeans.class);
  private final Shop shop = context.getBean(Shop.class);
  private final Skus skus = new Skus();

  /** Has an answer stored for each key, and the source go down. */
  @Setup
  public void fill() {
    for (int i = 0; i < Skus.COUNT; i++) {
      String key = skus.next();
      shop.price(key);
      shop.basket(key);
      shop.cached(key);
      shop.cachedBounded(key);
    }
    shop.goDown();
  }

  /**
   * Ends what was begun.
   *
   * @throws IllegalStateException if the source has answered; the figures are void then
   */
  @TearDown
  public void close() {
    context
        .getBean(Failovers.class)
        .counts()
        .forEach(
            (name, counts) -> {
              if (counts.live() > Skus.COUNT || counts.failed() > 0) {
                throw new IllegalStateException(name + " was not recovered only: " + counts);
              }
            });
    context.close();
  }

  /** A hit of Spring's cache on Caffeine, of as many entries as failover's store. */
  @Benchmark
  public Price cacheHitBounded() {
    return shop.cachedBounded(skus.next());
  }

  /** A hit of Spring's cache on Caffeine as it comes, without a limit. */
  @Benchmark
  public Price cacheHit() {
    return shop.cached(skus.next());
  }

  /** A stored answer that was kept as it is. */
  @Benchmark
  public Price recovered() {
    return shop.price(skus.next());
  }

  /** A stored answer that is decoded. */
  @Benchmark
  public Basket recoveredMutable() {
    return shop.basket(skus.next());
  }
}
