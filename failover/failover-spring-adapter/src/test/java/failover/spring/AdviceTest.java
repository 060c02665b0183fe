package failover.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failover;
import failover.FailoverSpec;
import failover.Failovers;
import failover.Failovers.PointCounts;
import failover.spring.Shop.Price;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;

/** Annotated methods of beans, through their advice. */
class AdviceTest {

  interface Rates {
    @Failover(name = "rate", pause = "0s")
    String rate(String currency) throws IOException;
  }

  static class RemoteRates implements Rates {
    IOException failure;

    @Override
    public String rate(String currency) throws IOException {
      if (failure != null) {
        throw failure;
      }
      return currency + "=1";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Beans.class)
  static class App {
    @Bean
    Shop shop() {
      return new Shop();
    }

    @Bean
    @Scope("prototype")
    Rates rates() {
      return new RemoteRates();
    }

    @Bean
    Runnable unrelated() {
      return () -> {};
    }
  }

  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext(App.class);
  private final Shop shop = context.getBean(Shop.class);
  private final Shop target = Targets.of(shop);
  private final IOException down = new IOException("down");

  @AfterEach
  void close() {
    context.close();
  }

  @Test
  void whatWasAnsweredIsGivenWhenTheMethodFails() throws Exception {
    shop.price("a");
    shop.prices("toys");
    shop.later("a").toCompletableFuture().get();
    shop.fresh("a");
    target.failure = down;
    assertThat(shop.price("a")).isEqualTo(new Price("a", 100));
    assertThat(shop.prices("trains")).containsExactly(new Price("toys", 1));
    assertThat(shop.later("a").toCompletableFuture().get()).isEqualTo(new Price("a", 2));
    assertThat(shop.fresh("a").upToDate()).isFalse();
    assertThatThrownBy(() -> shop.price("b")).isSameAs(down);
    assertThatThrownBy(shop::inert).isSameAs(down);
    assertThatThrownBy(shop::plain).isSameAs(down);
    assertThat(
            context.getBean(Failovers.class).counts().values().stream()
                .mapToLong(PointCounts::calls)
                .sum())
        .isEqualTo(9);
  }

  @Test
  void annotationsOfInterfacesCountAndPrototypesAreProtected() throws Exception {
    Rates rates = context.getBean(Rates.class);
    assertThat(AopUtils.isJdkDynamicProxy(rates)).isTrue();
    rates.rate("EUR");
    RemoteRates broken = (RemoteRates) Targets.of(rates);
    broken.failure = down;
    assertThat(rates.rate("EUR")).isEqualTo("EUR=1");
    assertThat(context.getBean(Rates.class).rate("USD")).isEqualTo("USD=1");
    assertThat(AopUtils.isAopProxy(context.getBean("unrelated"))).isFalse();
  }

  @Test
  void theScannerKnowsEveryPoint() {
    SpringContextFailoverScanner scanner = context.getBean(SpringContextFailoverScanner.class);
    assertThat(scanner.findAllFailover())
        .extracting(FailoverSpec::name)
        .containsExactly("fresh", "later", "price", "prices", "rate");
    FailoverSpec<?> fresh = scanner.findFailoverByName("fresh").orElseThrow();
    assertThat(fresh.expiry().lengthFrom(Instant.EPOCH)).isEqualTo(Duration.ofDays(6));
    assertThat(fresh.method()).isEqualTo("Shop#fresh");
    assertThat(scanner.findFailoverByName("unknown")).isEmpty();
    assertThat(scanner.findAllPayloadTypes()).contains(Price.class, String.class);
  }

  @Test
  void aProxyThatIsThereAlreadyGetsTheAdviceAsItsFirst() {
    ProxyFactory factory = new ProxyFactory(new Shop());
    factory.addAdvice((MethodInterceptor) MethodInvocation::proceed);
    Object proxy = factory.getProxy();
    FailoverBeanPostProcessor processor = context.getBean(FailoverBeanPostProcessor.class);
    assertThat(processor.postProcessAfterInitialization(proxy, "shop2")).isSameAs(proxy);
    AdviceChain chain = AdviceChain.of(proxy);
    assertThat(chain.isOutermost()).isTrue();
    assertThat(chain.advice()).hasSize(2);
    assertThat(AdviceChain.of(List.of()).isProxied()).isFalse();
  }
}
