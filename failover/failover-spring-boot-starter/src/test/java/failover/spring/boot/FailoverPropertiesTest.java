package failover.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failover;
import failover.Failovers;
import failover.execution.BasicFailoverExecution;
import failover.execution.FailoverExecution.ExecutionFactory;
import failover.execution.MethodExceptionPolicy;
import failover.execution.MethodExceptionPolicy.MethodExceptionContext;
import failover.spring.FailoverBeanPostProcessor;
import failover.spring.boot.Shop.Price;
import failover.store.InMemoryFailoverStore;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.ApplicationContext;

/** Each property in a whole application, where it changes something. */
class FailoverPropertiesTest {

  private static Price ask(ApplicationContext context, String sku) throws Exception {
    return context.getBean(Shop.class).price(sku);
  }

  private static void answerThenFail(ApplicationContext context) throws Exception {
    ask(context, "a");
    Contexts.target(context).goDown();
  }

  private static long stored(AssertableApplicationContext context) {
    return context.getBean(Failovers.class).stored().entries("price", 1_000).size();
  }

  @Test
  void anAnnotatedBeanIsProtectedWithoutAnySetting() {
    Contexts.shop()
        .run(
            context -> {
              answerThenFail(context);
              assertThat(ask(context, "a")).isEqualTo(new Price("a", 100));
              assertThatThrownBy(() -> ask(context, "b"))
                  .isSameAs(Contexts.target(context).failure);
              assertThat(context).hasSingleBean(InMemoryFailoverStore.class);
            });
  }

  @Test
  void withoutEnabledThereIsNothing() {
    Contexts.shop()
        .withPropertyValues("failover.enabled=false")
        .run(
            context ->
                assertThat(context)
                    .doesNotHaveBean(Failovers.class)
                    .doesNotHaveBean(FailoverBeanPostProcessor.class));
  }

  @Test
  void withoutTheAspectThereAreBeansButNoAdvice() {
    Contexts.shop()
        .withPropertyValues("failover.aspect.enabled=false")
        .run(
            context -> {
              assertThat(context).hasSingleBean(Failovers.class);
              assertThat(AopUtils.isAopProxy(context.getBean(Shop.class))).isFalse();
            });
  }

  @Test
  void resilienceAsksTheBreakerOfThePoint() {
    CircuitBreakerRegistry registry = CircuitBreakerRegistry.ofDefaults();
    Contexts.shop()
        .withBean(CircuitBreakerRegistry.class, () -> registry)
        .withPropertyValues("failover.type=resilience")
        .run(
            context -> {
              ask(context, "a");
              CircuitBreaker breaker = registry.circuitBreaker("price");
              assertThat(breaker.getMetrics().getNumberOfSuccessfulCalls()).isEqualTo(1);
              breaker.transitionToOpenState();
              assertThat(ask(context, "a")).isEqualTo(new Price("a", 100));
              assertThat(Contexts.target(context).asked).hasValue(1);
            });
    Contexts.shop()
        .withPropertyValues("failover.type=resilience")
        .run(
            context -> {
              answerThenFail(context);
              assertThat(ask(context, "a")).isEqualTo(new Price("a", 100));
            });
  }

  @Test
  void aCustomExecutionMakesTheCalls() {
    AtomicInteger made = new AtomicInteger();
    ExecutionFactory counting =
        parts -> {
          made.incrementAndGet();
          return new BasicFailoverExecution(parts);
        };
    Contexts.shop()
        .withBean(ExecutionFactory.class, () -> counting)
        .withPropertyValues("failover.type=custom")
        .run(context -> assertThat(ask(context, "a")).isNotNull());
    assertThat(made).hasValue(1);
  }

  @Test
  void theExceptionPolicyDecidesWhatCallersGet() {
    Contexts.shop()
        .withPropertyValues("failover.exception-policy=never_throw")
        .run(
            context -> {
              Contexts.target(context).goDown();
              assertThat(ask(context, "a")).isNull();
            });
    MethodExceptionPolicy policy =
        new MethodExceptionPolicy() {
          @Override
          public <T> T handle(MethodExceptionContext<T> failed) {
            throw new IllegalStateException("by policy");
          }
        };
    Contexts.shop()
        .withBean(MethodExceptionPolicy.class, () -> policy)
        .withPropertyValues("failover.exception-policy=custom")
        .run(
            context -> {
              Contexts.target(context).goDown();
              assertThatThrownBy(() -> ask(context, "a")).hasMessage("by policy");
            });
  }

  @Test
  void propertiesSayWhatIsRecovered() {
    IllegalArgumentException mistake = new IllegalArgumentException("mistake");
    Contexts.shop()
        .run(
            context -> {
              ask(context, "a");
              Contexts.target(context).failure = mistake;
              assertThatThrownBy(() -> ask(context, "a")).isSameAs(mistake);
            });
    Contexts.shop()
        .withPropertyValues("failover.recover-any=true")
        .run(
            context -> {
              ask(context, "a");
              Contexts.target(context).failure = mistake;
              assertThat(ask(context, "a")).isNotNull();
            });
    Contexts.shop()
        .withPropertyValues("failover.recover-on=java.lang.IllegalArgumentException")
        .run(
            context -> {
              answerThenFail(context);
              assertThatThrownBy(() -> ask(context, "a")).isInstanceOf(IOException.class);
              Contexts.target(context).failure = mistake;
              assertThat(ask(context, "a")).isNotNull();
            });
    Contexts.shop()
        .withPropertyValues("failover.never-on=java.io.IOException")
        .run(
            context -> {
              answerThenFail(context);
              assertThatThrownBy(() -> ask(context, "a")).isInstanceOf(IOException.class);
            });
  }

  static class Slow {
    final CountDownLatch asked = new CountDownLatch(1);
    final CountDownLatch gate = new CountDownLatch(1);

    @Failover(name = "slow", hardTimeout = "30s")
    public String thread(String key) throws InterruptedException {
      asked.countDown();
      gate.await();
      return Thread.currentThread().getName();
    }
  }

  @Test
  void timedCallsAreBounded() {
    Slow slow = new Slow();
    Contexts.bare()
        .withBean(Slow.class, () -> slow)
        .withPropertyValues("failover.timed-calls=1")
        .run(
            context -> {
              Slow proxy = context.getBean(Slow.class);
              AtomicReference<String> first = new AtomicReference<>();
              AtomicReference<String> second = new AtomicReference<>();
              Thread one = thread("caller-1", () -> first.set(proxy.thread("1")));
              Thread two = thread("caller-2", () -> second.set(proxy.thread("2")));
              slow.asked.await();
              slow.gate.countDown();
              one.join();
              two.join();
              assertThat(first.get()).startsWith("failover-call");
              assertThat(second.get()).as("the other has waited").isEqualTo(first.get());
            });
  }

  private interface Task {
    void run() throws Exception;
  }

  private static Thread thread(String name, Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            },
            name);
    thread.start();
    return thread;
  }

  @Test
  void aCustomizerHasTheLastWord() {
    FailoverCustomizer customizer = builder -> builder.recoverable(failure -> false);
    Contexts.shop()
        .withBean(FailoverCustomizer.class, () -> customizer)
        .run(
            context -> {
              answerThenFail(context);
              assertThatThrownBy(() -> ask(context, "a")).isInstanceOf(IOException.class);
            });
    assertThat(Duration.ofSeconds(10)).isEqualTo(new FailoverProperties().getCloseTimeout());
  }
}
