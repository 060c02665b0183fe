package failover.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failover;
import failover.FailoverSpec;
import failover.Failovers;
import failover.expiry.Expiry;
import failover.proxy.annotations.FailoverAnnotations;
import failover.store.InMemoryFailoverStore;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Annotations on types, and on annotations of one's own. */
class TypeAnnotationsTest {
  private final Failovers failovers = Failovers.builder(new InMemoryFailoverStore()).build();

  interface Prices {
    String price(String sku) throws IOException;

    default String currency() {
      return "EUR";
    }
  }

  @Failover(name = "shop", expiry = "6h")
  interface Shop extends Prices {
    String stock(String sku);

    @Failover(name = "rates")
    String rates();

    @Failover(name = "")
    String secret();

    void order(String sku);

    CompletableFuture<Void> orderLater(String sku);

    @Override
    String toString();
  }

  static class RemoteShop implements Shop {
    boolean isDown;

    @Override
    public String price(String sku) throws IOException {
      if (isDown) {
        throw new IOException("down");
      }
      return sku + "=1";
    }

    @Override
    public String stock(String sku) {
      return "3";
    }

    @Override
    public String rates() {
      return "1.1";
    }

    @Override
    public String secret() {
      return "x";
    }

    @Override
    public void order(String sku) {}

    @Override
    public CompletableFuture<Void> orderLater(String sku) {
      return CompletableFuture.completedFuture(null);
    }
  }

  private Set<String> names() {
    return failovers.points().stream().map(FailoverSpec::name).collect(Collectors.toSet());
  }

  private FailoverSpec<?> point(String name) {
    return failovers.points().stream()
        .filter(it -> it.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void everyPublicMethodWithAResultIsAPointOfAnAnnotatedType() throws Exception {
    RemoteShop target = new RemoteShop();
    Shop shop = FailoverProxies.protect(failovers, Shop.class, target);
    assertThat(names())
        .containsExactlyInAnyOrder("shop-price", "shop-currency", "shop-stock", "rates");
    assertThat(point("shop-price").expiry()).isEqualTo(Expiry.of(Duration.ofHours(6)));
    assertThat(point("rates").expiry()).isEqualTo(Expiry.DEFAULT);
    shop.price("a");
    target.isDown = true;
    assertThat(shop.price("a")).isEqualTo("a=1");
    assertThatThrownBy(() -> shop.price("b")).hasMessage("down");
    shop.order("a");
    assertThat(shop).hasToString(target.toString());
  }

  @Failover(name = "class")
  static class AnnotatedShop implements Prices {
    @Override
    public String price(String sku) {
      return "1";
    }

    String hidden() {
      return "";
    }

    public static String everywhere() {
      return "";
    }
  }

  static class Special extends AnnotatedShop {
    public String special() {
      return "";
    }
  }

  @Test
  void theClassOfAnObjectOrOneAboveItMayBeAnnotated() throws Exception {
    FailoverProxies.protect(failovers, Prices.class, new Special());
    assertThat(names()).containsExactlyInAnyOrder("class-price", "class-currency");
    AnnotatedPoints points = AnnotatedPoints.plain();
    assertThat(points.of(AnnotatedShop.class.getMethod("price", String.class)))
        .map(it -> it.spec().name())
        .contains("class-price");
    assertThat(points.of(AnnotatedShop.class.getDeclaredMethod("hidden"))).isEmpty();
    assertThat(points.of(AnnotatedShop.class.getMethod("everywhere"))).isEmpty();
    assertThat(points.of(Special.class.getMethod("special"))).isEmpty();
  }

  @Failover(name = "", expiry = "6h", pause = "0s")
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
  @interface Remote {
    String name();

    String softTimeout() default "300ms";

    int attempts() default 3;
  }

  @Remote(name = "inner")
  @Retention(RetentionPolicy.RUNTIME)
  @interface Slow {
    String softTimeout() default "2s";
  }

  @Retention(RetentionPolicy.RUNTIME)
  @Failover(name = "mistaken")
  @interface Mistaken {
    int expiry();
  }

  interface Composed {
    @Remote(name = "remote")
    String remote();

    @Slow
    String slow();
  }

  @Test
  void anAnnotationOfOnesOwnCarriesItAndItsAttributesReplaceThoseGivenThere() throws Exception {
    FailoverSpec<?> remote = specOf(Composed.class, "remote");
    assertThat(remote.name()).isEqualTo("remote");
    assertThat(remote.expiry()).isEqualTo(Expiry.of(Duration.ofHours(6)));
    assertThat(remote.softTimeout()).contains(Duration.ofMillis(300));
    FailoverSpec<?> slow = specOf(Composed.class, "slow");
    assertThat(slow.name()).isEqualTo("inner");
    assertThat(slow.softTimeout()).contains(Duration.ofSeconds(2));
    assertThat(slow.pause()).isEqualTo(Duration.ZERO);
  }

  private static FailoverSpec<?> specOf(Class<?> type, String method) throws Exception {
    return AnnotatedPoints.plain().of(type.getMethod(method)).orElseThrow().spec();
  }

  @Remote(name = "typed")
  interface ComposedType {
    String ask();
  }

  interface MistakenMethod {
    @Mistaken(expiry = 6)
    String ask();
  }

  @Test
  void itMayStandOnATypeToo() throws Exception {
    assertThat(specOf(ComposedType.class, "ask").name()).isEqualTo("typed-ask");
  }

  @Test
  void anAttributeOfAnotherTypeIsRefused() {
    assertThatThrownBy(() -> specOf(MistakenMethod.class, "ask"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expiry of @")
        .hasMessageContaining("must be of String, as in @Failover, but is of int");
  }

  @Test
  void whatIsFoundIsAnAnnotationLikeAnyOther() throws Exception {
    Optional<Failover> found = FailoverAnnotations.of(Composed.class.getMethod("remote"));
    Failover annotation = found.orElseThrow();
    assertThat(annotation).isNotEqualTo(null).isNotEqualTo("remote");
    assertThat(Set.of(annotation)).contains(annotation);
    assertThat(annotation.annotationType()).isEqualTo(Failover.class);
    assertThat(annotation.toString()).contains("name", "softTimeout");
  }
}
