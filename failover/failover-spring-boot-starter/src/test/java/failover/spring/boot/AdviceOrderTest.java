package failover.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import failover.Failover;
import failover.FailoverOutcome;
import failover.FailoverOutcome.Kind;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker;
import io.github.resilience4j.retry.annotation.Retry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Failover is outside of all other advice, whoever else is on the method. */
class AdviceOrderTest {

  static class Source {
    final AtomicInteger asked = new AtomicInteger();
    final List<Integer> transactions = new CopyOnWriteArrayList<>();
    final List<String> threads = new CopyOnWriteArrayList<>();
    final List<Thread> callers = new CopyOnWriteArrayList<>();
    final CountDownLatch never = new CountDownLatch(1);
    volatile boolean isDown;

    private String answer(String key) {
      asked.incrementAndGet();
      if (isDown) {
        throw new IllegalStateException("down");
      }
      return "answer " + key;
    }

    @Failover(name = "r4j-retry", pause = "0s")
    @Retry(name = "shop")
    public String retried(String key) {
      return answer(key);
    }

    @Failover(name = "r4j-breaker", pause = "0s")
    @CircuitBreaker(name = "shop")
    public String broken(String key) {
      return answer(key);
    }

    @Failover(name = "spring-retry", pause = "0s")
    @Retryable(maxRetries = 2, delay = 1)
    public String retriedBySpring(String key) {
      return answer(key);
    }

    @Failover(name = "cached", pause = "0s")
    @Cacheable("answers")
    public String cached(String key) {
      return answer(key);
    }

    @Failover(name = "transactional", pause = "0s")
    @Transactional
    public String inTransaction(String key) {
      TransactionSynchronizationManager.registerSynchronization(
          new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
              transactions.add(status);
            }
          });
      return answer(key);
    }

    @Failover(name = "hanging", hardTimeout = "200ms", pause = "0s")
    public String hanging(String key) throws InterruptedException {
      callers.add(Thread.currentThread());
      if (isDown) {
        never.await();
      }
      return "answer " + key;
    }

    @Failover(name = "async", pause = "0s")
    @Async
    public CompletableFuture<String> later(String key) {
      threads.add(Thread.currentThread().getName());
      return CompletableFuture.completedFuture(answer(key));
    }
  }

  @Configuration
  @EnableAutoConfiguration
  @EnableCaching
  @EnableAsync
  @EnableResilientMethods
  @EnableTransactionManagement
  static class App {
    @Bean
    Source source() {
      return new Source();
    }

    @Bean
    CacheManager cacheManager() {
      return new ConcurrentMapCacheManager("answers");
    }
  }

  private static ConfigurableApplicationContext context;
  private static Source source;
  private static Source target;

  @BeforeAll
  static void start() {
    context =
        new SpringApplicationBuilder(App.class)
            .web(WebApplicationType.NONE)
            .properties(
                "spring.datasource.generate-unique-name=true",
                "resilience4j.retry.instances.shop.max-attempts=3",
                "resilience4j.retry.instances.shop.wait-duration=1ms",
                "resilience4j.circuitbreaker.instances.shop.sliding-window-size=4",
                "resilience4j.circuitbreaker.instances.shop.minimum-number-of-calls=4")
            .run();
    source = context.getBean(Source.class);
    target = (Source) AopProxyUtils.getSingletonTarget(source);
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  @BeforeEach
  void wellAgain() {
    target.isDown = false;
    target.asked.set(0);
  }

  private static void goDown() {
    target.isDown = true;
    target.asked.set(0);
  }

  @Test
  void failoverIsTheFirstOfAllAdvice() {
    List<String> chain =
        List.of(((Advised) source).getAdvisors()).stream()
            .map(advisor -> advisor.getAdvice().getClass().getSimpleName())
            .toList();
    assertThat(chain).hasSizeGreaterThanOrEqualTo(6);
    assertThat(chain.get(0)).isEqualTo("FailoverInterceptor");
    assertThat(chain.stream().filter("FailoverInterceptor"::equals)).hasSize(1);
  }

  @Test
  void retriesOfResilience4jAreUsedUpBeforeAStoredAnswerIsGiven() {
    source.retried("a");
    goDown();
    assertThat(source.retried("a")).isEqualTo("answer a");
    assertThat(target.asked).hasValue(3);
    assertThat(FailoverOutcome.last().orElseThrow().kind()).isEqualTo(Kind.RECOVERED);
  }

  @Test
  void theBreakerSeesFailuresAndItsRejectionIsRecovered() {
    source.broken("a");
    goDown();
    for (int i = 0; i < 10; i++) {
      assertThat(source.broken("a")).isEqualTo("answer a");
    }
    assertThat(target.asked.get()).isBetween(1, 4);
    assertThat(context.getBean(CircuitBreakerRegistry.class).circuitBreaker("shop").getState())
        .isEqualTo(io.github.resilience4j.circuitbreaker.CircuitBreaker.State.OPEN);
  }

  @Test
  void retriesOfSpringAreUsedUpToo() {
    source.retriedBySpring("a");
    goDown();
    assertThat(source.retriedBySpring("a")).isEqualTo("answer a");
    assertThat(target.asked).hasValue(3);
  }

  @Test
  void aStoredAnswerIsNotCachedAndAHitOfTheCacheLooksLive() {
    source.cached("a");
    goDown();
    assertThat(source.cached("a")).isEqualTo("answer a");
    assertThat(FailoverOutcome.last().orElseThrow().kind()).isEqualTo(Kind.LIVE);
    context.getBean(CacheManager.class).getCache("answers").clear();
    assertThat(source.cached("a")).isEqualTo("answer a");
    assertThat(FailoverOutcome.last().orElseThrow().kind()).isEqualTo(Kind.RECOVERED);
    assertThat(context.getBean(CacheManager.class).getCache("answers").get("a")).isNull();
  }

  @Test
  void theTransactionIsRolledBackBeforeAStoredAnswerIsGiven() {
    source.inTransaction("a");
    goDown();
    assertThat(source.inTransaction("a")).isEqualTo("answer a");
    assertThat(target.transactions)
        .containsExactly(
            TransactionSynchronization.STATUS_COMMITTED,
            TransactionSynchronization.STATUS_ROLLED_BACK);
  }

  @Test
  void insideATransactionTheCallerAsksAndLeavesAtTheHardTimeout() {
    TransactionTemplate transaction =
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    for (boolean isDown : new boolean[] {false, true}) {
      target.isDown = isDown;
      String answer =
          transaction.execute(
              status -> {
                try {
                  return source.hanging("a");
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      assertThat(answer).isEqualTo("answer a");
    }
    Thread caller = Thread.currentThread();
    assertThat(target.callers).containsExactly(caller, caller);
    assertThat(caller.isInterrupted()).isFalse();
  }

  @Test
  void whatFailsOnAnotherThreadIsRecoveredLater() throws Exception {
    assertThat(source.later("a").get()).isEqualTo("answer a");
    goDown();
    assertThat(source.later("a").get()).isEqualTo("answer a");
    assertThat(target.threads).hasSize(2).doesNotContain(Thread.currentThread().getName());
  }
}
