package failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonFormat;
import failover.key.canonical.CanonicalKeys;
import failover.store.FailoverStore;
import failover.store.InMemoryFailoverStore;
import failover.store.ReferentialPayload;
import failover.store.ReferentialPayload.Payload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a table would refuse is not given by a store in memory either. */
class ExactNearAndFarTest {
  private final FailoverStore store = new InMemoryFailoverStore();
  private final Failovers failovers = Failovers.builder(store).build();

  /** Immutable, so that it would be kept as it is; loses its year and seconds when written. */
  record Departure(@JsonFormat(pattern = "MM-dd HH:mm") LocalDateTime at) {}

  record Chain(String link, Chain next) {}

  static class Animal {}

  static class Dog extends Animal {}

  private static Chain chain() {
    Chain chain = new Chain("last", null);
    for (int i = 0; i < 1_000; i++) { // deeper than JSON may be
      chain = new Chain("link", chain);
    }
    return chain;
  }

  @Test
  void anAnswerThatWouldNotComeBackIsNotKeptNearEither() {
    isNotKept(new Departure(LocalDateTime.of(2026, 1, 2, 3, 4, 5)), Departure.class);
  }

  @Test
  void neitherIsOneThatIsNestedTooDeeplyToBeWritten() {
    isNotKept(chain(), Chain.class);
  }

  @Test
  void neitherIsOneOfASubclass() {
    isNotKept(new Dog(), Animal.class);
  }

  private void isNotKept(Object answer, Class<?> type) {
    FailoverSpec<Object> spec = FailoverSpec.ofType("point", type).build();
    assertThat(failovers.call(spec, List.of("a"), () -> answer)).isSameAs(answer);
    assertThat(failovers.counts().get("point").storeFailures()).isEqualTo(1);
    IOException down = new IOException("down");
    assertThatThrownBy(() -> failovers.call(spec, List.of("a"), failing(down))).isSameAs(down);
  }

  private static <T> Source<T, IOException> failing(IOException failure) {
    return () -> {
      throw failure;
    };
  }

  record Price(String sku, long cents) {}

  @Test
  void anAnswerOfAnOlderVersionIsUnreadableAndCounted() throws Exception {
    FailoverSpec<Price> spec =
        FailoverSpec.builder("price", Price.class).pause(Duration.ZERO, Duration.ZERO).build();
    for (String stored :
        List.of(
            "{\"sku\":\"a\"}",
            "{\"cents\":12.99,\"sku\":\"a\"}",
            "{\"cents\":1,\"sku\":\"a\",\"x\":1}")) {
      byte[] bytes = stored.getBytes(StandardCharsets.UTF_8);
      Instant asOf = Instant.now();
      store.store(
          new ReferentialPayload(
              CanonicalKeys.of("price", List.of(stored)),
              asOf,
              asOf.plusSeconds(60),
              Payload.ofBytes(Price.class.getName(), 1, bytes)));
      IOException down = new IOException("down");
      assertThatThrownBy(() -> failovers.call(spec, List.of(stored), failing(down))).isSameAs(down);
    }
    assertThat(failovers.counts().get("price").unreadable()).isEqualTo(3);
  }
}
