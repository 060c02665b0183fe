package failover.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failover;
import failover.FailoverSpec;
import failover.Failovers;
import failover.expiry.Expiry;
import failover.store.InMemoryFailoverStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What annotations say of points, what comes before that, and what proxies are equal to. */
class AnnotatedSettingsTest {
  private final Failovers failovers = Failovers.builder(new InMemoryFailoverStore()).build();

  interface Choosy {
    @Failover(
        name = "choosy",
        expiry = "6h",
        removesOn = NoSuchElementException.class,
        keepIf = "notEmpty",
        pauseShare = 0.8,
        pauseMinimum = 5,
        pauseWindow = "30s")
    List<String> ask();
  }

  private static AnnotatedPoints points() {
    return new AnnotatedPoints(
        Map.of(),
        Map.of(),
        Map.of("notEmpty", answer -> !((List<?>) answer).isEmpty()),
        AnnotatedPoints.systemProperties(),
        (name, point) -> {
          if (name.equals("overridden")) {
            point.expiry(Duration.ofDays(2)).hardTimeout(Duration.ofSeconds(3));
          }
        });
  }

  private static FailoverSpec<Object> specOf(Class<?> type) throws NoSuchMethodException {
    return points().of(type.getMethod("ask")).orElseThrow().spec();
  }

  @Test
  void everyAttributeCounts() throws Exception {
    FailoverSpec<Object> spec = specOf(Choosy.class);
    assertThat(spec.expiry()).isEqualTo(Expiry.of(Duration.ofHours(6)));
    assertThat(spec.removes(new NoSuchElementException())).isTrue();
    assertThat(spec.keeps(List.of())).isFalse();
    assertThat(spec.keeps(List.of("a"))).isTrue();
    assertThat(spec.pauseShare()).isEqualTo(0.8);
    assertThat(spec.pauseMinimum()).isEqualTo(5);
    assertThat(spec.pauseWindow()).isEqualTo(Duration.ofSeconds(30));
    assertThatThrownBy(() -> AnnotatedPoints.plain().of(Choosy.class.getMethod("ask")))
        .hasMessageContaining("keepIf of failover 'choosy' must be one of []");
  }

  interface Overridden {
    @Failover(name = "overridden", expiry = "6h", softTimeout = "1s", hardTimeout = "10s")
    String ask();
  }

  @Test
  void settingsComeBeforeWhatTheAnnotationSays() throws Exception {
    FailoverSpec<Object> spec = specOf(Overridden.class);
    assertThat(spec.expiry()).isEqualTo(Expiry.of(Duration.ofDays(2)));
    assertThat(spec.softTimeout()).contains(Duration.ofSeconds(1));
    assertThat(spec.hardTimeout()).contains(Duration.ofSeconds(3));
  }

  interface OfMono {
    @Failover(name = "mono")
    Mono<String> ask();
  }

  interface OfFlux {
    @Failover(name = "flux")
    Flux<String> ask();
  }

  interface OfFlow {
    @Failover(name = "flow")
    Flow.Publisher<String> ask();
  }

  @Test
  void answersThatAskTheSourceLaterAreRefusedWithWhatToDoInstead() {
    for (Class<?> type : List.of(OfMono.class, OfFlux.class, OfFlow.class)) {
      assertThatThrownBy(() -> specOf(type))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("callLater(spec, args, () -> mono.toFuture())")
          .hasMessageContaining(type.getMethods()[0].getGenericReturnType().getTypeName());
    }
    assertThatThrownBy(() -> FailoverSpec.builder("mono", Mono.class).build())
        .hasMessageContaining("reactor.core.publisher.Mono");
    FailoverSpec.builder("later", CompletableFuture.class).build();
  }

  /** Equal to others of the same name. */
  record Named(String name) implements Supplier<String>, Asking {
    @Override
    public String get() {
      return name;
    }

    @Override
    public String ask() {
      return name;
    }
  }

  interface Asking {
    @Failover(name = "asking")
    String ask();
  }

  @Test
  void aProxyIsEqualToItselfAndToOneOfAnEqualObject() {
    AnnotatedPoints shared = points();
    Asking proxy = FailoverProxies.protect(failovers, Asking.class, new Named("a"), shared);
    Failovers others = Failovers.builder(new InMemoryFailoverStore()).build();
    Asking same = FailoverProxies.protect(others, Asking.class, new Named("a"), shared);
    Failovers more = Failovers.builder(new InMemoryFailoverStore()).build();
    Asking different = FailoverProxies.protect(more, Asking.class, new Named("b"), shared);
    assertThat(proxy.equals(proxy)).isTrue();
    assertThat(proxy).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(proxy).isNotEqualTo(different).isNotEqualTo("a").isNotEqualTo(null);
    assertThat(List.of(proxy).contains(proxy)).isTrue();
  }
}
