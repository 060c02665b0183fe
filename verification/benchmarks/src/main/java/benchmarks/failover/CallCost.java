package benchmarks.failover;

import benchmarks.failover.Shop.Basket;
import benchmarks.failover.Shop.Price;
import failover.FailoverSpec;
import failover.Failovers;
import failover.caffeine.CaffeineFailoverStore;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** What a call costs that the source answers, for a thousand keys in turn. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 6, time = 1)
@Fork(2)
public class CallCost {
  private static final Price NONE = new Price("none", 0);

  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext(ShopBeans.class);
  private final Shop shop = context.getBean(Shop.class);
  private final Shop target = new Shop();
  private final Shop bare = bareProxy();
  private final CircuitBreaker breaker = CircuitBreaker.ofDefaults("shop");
  private final Failovers failovers = Failovers.builder(new CaffeineFailoverStore()).build();
  private final FailoverSpec<Price> spec = FailoverSpec.builder("direct", Price.class).build();
  private final Skus skus = new Skus();

  private static Shop bareProxy() {
    ProxyFactory factory = new ProxyFactory(new Shop());
    factory.setProxyTargetClass(true);
    factory.addAdvice((MethodInterceptor) MethodInvocation::proceed);
    return (Shop) factory.getProxy();
  }

  /** Ends what was begun. */
  @TearDown
  public void close() {
    context.close();
    failovers.close();
  }

  /** A proxy that does nothing. */
  @Benchmark
  public Price bareProxyCall() {
    return bare.plain(skus.next());
  }

  /** A breaker of Resilience4j with a fallback, without a proxy. */
  @Benchmark
  public Price breakerWithFallback() {
    String key = skus.next();
    try {
      return breaker.executeSupplier(() -> target.plain(key));
    } catch (RuntimeException e) {
      return NONE;
    }
  }

  /** Spring's cache on Caffeine, of as many entries as failover's store. */
  @Benchmark
  public Price cachePutBounded() {
    return shop.putBounded(skus.next());
  }

  /** Spring's cache on Caffeine as it comes, without a limit. */
  @Benchmark
  public Price cachePut() {
    return shop.put(skus.next());
  }

  /** Failover on Caffeine, by annotation. */
  @Benchmark
  public Price failover() {
    return shop.price(skus.next());
  }

  /** The same with an answer that must be encoded. */
  @Benchmark
  public Basket failoverMutable() {
    return shop.basket(skus.next());
  }

  /** The same without a proxy. */
  @Benchmark
  public @Nullable Price failoverWithoutProxy() {
    String key = skus.next();
    return failovers.call(spec, List.of(key), () -> target.plain(key));
  }
}
