package failover.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failover;
import failover.FailoverSpec;
import failover.expiry.Expiry;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AliasFor;

/** Annotations on classes and interfaces of beans, and on annotations of one's own. */
class TypeAnnotationsTest {

  @Failover(name = "stock", pause = "0s")
  interface Stock<K> {
    String count(K sku);
  }

  @Failover(name = "shop", pause = "0s")
  static class Shop implements Stock<Integer> {
    boolean isDown;

    private String answer(Object sku) {
      if (isDown) {
        throw new IllegalStateException("down");
      }
      return "of " + sku;
    }

    @Override
    public String count(Integer sku) {
      return answer(sku);
    }

    public String price(String sku) {
      return answer(sku);
    }

    @Failover(name = "own", pause = "0s")
    public String own() {
      return answer("own");
    }

    @Failover(name = "")
    public String left() {
      return answer("left");
    }

    public void order(String sku) {
      answer(sku);
    }

    String hidden() {
      return answer("hidden");
    }
  }

  static class Depot implements Stock<Long> {
    boolean isDown;

    @Override
    public String count(Long sku) {
      if (isDown) {
        throw new IllegalStateException("down");
      }
      return "3";
    }

    public String place() {
      return "here";
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
    Stock<Long> depot() {
      return new Depot();
    }
  }

  private static List<String> names(AnnotationConfigApplicationContext context) {
    return context.getBean(SpringContextFailoverScanner.class).findAllFailover().stream()
        .map(FailoverSpec::name)
        .toList();
  }

  @Test
  void everyPublicMethodWithAResultIsAPointOfAnAnnotatedType() {
    try (var context = new AnnotationConfigApplicationContext(App.class)) {
      assertThat(names(context)).containsExactly("own", "shop-count", "shop-price", "stock-count");
      @SuppressWarnings("unchecked")
      Stock<Long> depot = (Stock<Long>) context.getBean("depot");
      depot.count(1L);
      ((Depot) Targets.of(depot)).isDown = true;
      assertThat(depot.count(1L)).isEqualTo("3");
      assertThatThrownBy(() -> depot.count(2L)).hasMessage("down");
    }
  }

  @Failover(name = "twice")
  static class Overloaded {
    public String ask() {
      return "";
    }

    public String ask(String sku) {
      return sku;
    }
  }

  @Test
  void overloadedMethodsOfAnAnnotatedTypeAreNamedWithTheFix() {
    assertThatThrownBy(() -> start(Overloaded.class))
        .isInstanceOf(FailoverScannerException.class)
        .hasMessageContaining("'twice-ask' is on Overloaded#ask and on Overloaded#ask")
        .hasMessageContaining(
            "where the annotation is on the type, give one of the methods its own");
  }

  @Failover(name = "", expiry = "6h")
  @Retention(RetentionPolicy.RUNTIME)
  @interface Remote {
    @AliasFor(annotation = Failover.class, attribute = "name")
    String value();

    String pause() default "5s";
  }

  static class Client {
    @Remote("composed")
    public String ask() {
      return "";
    }
  }

  private static AnnotationConfigApplicationContext start(Class<?> bean) {
    return new AnnotationConfigApplicationContext(Beans.class, bean);
  }

  @Test
  void anAnnotationOfOnesOwnCarriesItWithAliasesAndAttributesOfTheSameName() {
    try (var context = start(Client.class)) {
      FailoverSpec<?> spec =
          context
              .getBean(SpringContextFailoverScanner.class)
              .findFailoverByName("composed")
              .orElseThrow();
      assertThat(spec.expiry()).isEqualTo(Expiry.of(Duration.ofHours(6)));
      assertThat(spec.pause()).isEqualTo(Duration.ofSeconds(5));
    }
  }
}
