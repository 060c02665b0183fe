package failover.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failover;
import failover.FailoverResult;
import failover.FailoverSpec;
import failover.FailoverSpecBuilder;
import failover.Failovers;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

class FailoverProxiesTest {
  record Price(String sku, int cents) {}

  interface Shop {
    @Failover(name = "prices", expiryDuration = 6)
    List<Price> prices(String category) throws IOException;

    @Failover(name = "later")
    CompletionStage<Price> later(String sku);

    FailoverResult<Price> fresh(String sku) throws IOException;

    @Failover(name = "touch")
    void touch() throws IOException;

    @Failover(name = "")
    String inert() throws IOException;

    String plain() throws IOException;
  }

  static class RealShop implements Shop {
    IOException failure;

    private void check() throws IOException {
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public List<Price> prices(String category) throws IOException {
      check();
      return List.of(new Price(category, 1));
    }

    @Override
    public CompletionStage<Price> later(String sku) {
      return failure == null
          ? CompletableFuture.completedFuture(new Price(sku, 2))
          : CompletableFuture.failedFuture(failure);
    }

    @Override
    @Failover(name = "fresh")
    public FailoverResult<Price> fresh(String sku) throws IOException {
      check();
      return FailoverResult.live(new Price(sku, 3), SettableTime.START);
    }

    @Override
    public void touch() throws IOException {
      check();
    }

    @Override
    public String inert() throws IOException {
      check();
      return "inert";
    }

    @Override
    public String plain() throws IOException {
      check();
      return "plain";
    }
  }

  private final SettableTime time = new SettableTime();
  private final Failovers failovers =
      Failovers.builder(new InMemoryFailoverStore()).time(time).build();
  private final RealShop real = new RealShop();

  @Test
  void annotatedMethodsAreProtectedInEveryShape() throws Exception {
    Shop shop;
    try (CapturedLog log = new CapturedLog("failover")) {
      shop = FailoverProxies.protect(failovers, Shop.class, real);
      assertThat(log.messages(Level.WARNING)).hasSize(1).first().asString().contains("no answer");
    }
    shop.prices("toys");
    shop.later("a");
    assertThat(shop.fresh("b").upToDate()).isTrue();
    shop.touch();
    assertThat(shop.plain()).isEqualTo("plain");
    time.advance(Duration.ofMinutes(30));
    real.failure = new IOException("down");
    assertThat(shop.prices("toys")).containsExactly(new Price("toys", 1));
    assertThat(shop.later("a").toCompletableFuture()).isCompletedWithValue(new Price("a", 2));
    FailoverResult<Price> stale = shop.fresh("b");
    assertThat(stale.value()).isEqualTo(new Price("b", 3));
    assertThat(stale.upToDate()).isFalse();
    assertThat(stale.asOf()).isEqualTo(SettableTime.START);
    assertThatThrownBy(shop::touch).isSameAs(real.failure);
    assertThatThrownBy(shop::plain).isSameAs(real.failure);
    assertThatThrownBy(shop::inert).isSameAs(real.failure);
    time.advance(Duration.ofHours(2));
    assertThat(shop.prices("toys")).hasSize(1);
    assertThatThrownBy(() -> shop.fresh("b")).isSameAs(real.failure);
    assertThat(shop.hashCode()).isEqualTo(real.hashCode());
  }

  interface Named {
    @Failover(name = "named", keyGenerator = "first", expiryPolicy = "never")
    String ask(String sku, AtomicInteger counter);
  }

  interface Faceless {
    @Failover(name = "faceless")
    String ask(AtomicInteger counter);
  }

  interface Nothing {
    String ask();
  }

  interface Raw {
    @Failover(name = "raw")
    @SuppressWarnings("rawtypes")
    CompletionStage ask();
  }

  @Test
  void mistakesInAnnotationsShowAtOnceWithTheRemedy() {
    assertThatThrownBy(() -> FailoverProxies.protect(failovers, Faceless.class, counter -> "a"))
        .hasMessageContaining("give it a keyGenerator");
    assertThatThrownBy(() -> FailoverProxies.protect(failovers, Nothing.class, () -> "a"))
        .hasMessageContaining("must have a method with @Failover");
    assertThatThrownBy(() -> FailoverProxies.protect(failovers, Raw.class, CompletableFuture::new))
        .hasMessageContaining("must say what its answer is of");
    assertThatThrownBy(() -> FailoverProxies.protect(failovers, RealShop.class, real))
        .hasMessageContaining("must be an interface");
    assertThatThrownBy(() -> FailoverProxies.protect(failovers, Named.class, (sku, counter) -> "a"))
        .hasMessageContaining("must be one of [] but was 'never'");
  }

  @Test
  void namedPartsAreFound() {
    AnnotatedPoints points =
        new AnnotatedPoints(
            Map.of("first", (spec, args) -> args.get(0).toString()),
            Map.of("never", (spec, asOf) -> asOf.plus(Duration.ofDays(10_000))),
            Map.of(),
            AnnotatedPoints.systemProperties(),
            (name, point) -> {});
    AtomicInteger calls = new AtomicInteger();
    Named named =
        FailoverProxies.protect(
            failovers,
            Named.class,
            (sku, counter) -> {
              if (calls.incrementAndGet() > 1) {
                throw new IllegalStateException("down");
              }
              return sku;
            },
            points);
    assertThat(named.ask("a", new AtomicInteger())).isEqualTo("a");
    time.advance(Duration.ofDays(9_000));
    assertThat(named.ask("a", new AtomicInteger())).isEqualTo("a");
  }

  interface Patient {
    @Failover(
        name = "patient",
        softTimeout = "300ms",
        hardTimeout = "${patience:PT2S}",
        pause = "5s",
        longestPause = "1m")
    String ask();
  }

  interface Impatient {
    @Failover(name = "impatient", softTimeout = "soon")
    String ask();
  }

  interface LaterPatient {
    @Failover(name = "later-patient", hardTimeout = "1s")
    CompletionStage<String> ask();
  }

  @Test
  void timesAreReadFromTheAnnotation() throws Exception {
    FailoverSpec<Object> spec =
        AnnotatedPoints.plain().of(Patient.class.getMethod("ask")).orElseThrow().spec();
    assertThat(spec.softTimeout()).contains(Duration.ofMillis(300));
    assertThat(spec.hardTimeout()).contains(Duration.ofSeconds(2));
    assertThat(spec.pause()).isEqualTo(Duration.ofSeconds(5));
    assertThat(spec.longestPause()).isEqualTo(Duration.ofMinutes(1));
    assertThat(spec.method()).isEqualTo("Patient#ask");
    FailoverSpec<Object> usual =
        AnnotatedPoints.plain()
            .of(Shop.class.getMethod("prices", String.class))
            .orElseThrow()
            .spec();
    assertThat(usual.softTimeout()).isEmpty();
    assertThat(usual.pause()).isEqualTo(FailoverSpecBuilder.DEFAULT_PAUSE);
    assertThat(usual.longestPause()).isEqualTo(FailoverSpecBuilder.DEFAULT_LONGEST_PAUSE);
    assertThatThrownBy(() -> AnnotatedPoints.plain().of(Impatient.class.getMethod("ask")))
        .hasMessageContaining("softTimeout of failover 'impatient'")
        .hasMessageContaining("'soon'");
    assertThatThrownBy(() -> AnnotatedPoints.plain().of(LaterPatient.class.getMethod("ask")))
        .hasMessageContaining("must have no timeout");
  }
}
