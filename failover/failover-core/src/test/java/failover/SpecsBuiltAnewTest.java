package failover;

import static failover.Failovers.args;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failovers.PointCounts;
import failover.store.InMemoryFailoverStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Specs that are built for each call, as local variables are. */
class SpecsBuiltAnewTest {
  private final Failovers failovers = Failovers.builder(new InMemoryFailoverStore()).build();

  private String nameOf(String sku, String prefix, Source<String, IOException> source)
      throws IOException {
    FailoverSpec<List<String>> spec =
        FailoverSpec.builder("name", new TypeRef<List<String>>() {})
            .expiry(Duration.ofHours(2))
            .recoverOn(List.of(IOException.class))
            .keyGenerator((point, args) -> prefix + args.get(0))
            .build();
    return String.join("", failovers.call(spec, args(sku), () -> List.of(source.get())));
  }

  @Test
  void theSecondCallWorksToo() throws IOException {
    assertThat(nameOf("a", "x", () -> "Alpha")).isEqualTo("Alpha");
    assertThat(nameOf("a", "y", () -> "Beta")).isEqualTo("Beta");
    Source<String, IOException> down =
        () -> {
          throw new IOException("down");
        };
    assertThat(nameOf("a", "x", down)).as("each has its own key function").isEqualTo("Alpha");
    assertThat(nameOf("a", "y", down)).isEqualTo("Beta");
    assertThat(failovers.points()).hasSize(1);
    assertThat(failovers.counts().get("name").calls()).isEqualTo(4);
  }

  @Test
  void oneSpecInTurnWithSeveralIsCountedWhereItIsCalled() {
    FailoverSpec<String> shared = FailoverSpec.builder("shared", String.class).build();
    try (Failovers other = Failovers.builder(new InMemoryFailoverStore()).build()) {
      for (int i = 0; i < 3; i++) {
        failovers.call(shared, args(i), () -> "here");
        other.call(shared, args(i), () -> "there");
      }
      other.call(shared, args("once more"), () -> "there");
      assertThat(failovers.counts().get("shared"))
          .returns(3L, PointCounts::live)
          .returns(3L, PointCounts::stored);
      assertThat(other.counts().get("shared"))
          .returns(4L, PointCounts::live)
          .returns(4L, PointCounts::stored);
    }
  }

  @Test
  void aSpecThatHasAlreadyBeenUsedElsewhereIsStillCheckedHere() {
    FailoverSpec<String> used = FailoverSpec.builder("price", String.class).build();
    try (Failovers other = Failovers.builder(new InMemoryFailoverStore()).build()) {
      other.call(used, args("a"), () -> "there");
      failovers.register(FailoverSpec.builder("price", String.class).schemaVersion(2).build());
      assertThatThrownBy(() -> failovers.call(used, args("a"), () -> "here"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("other rules");
    }
  }

  @Test
  void otherRulesUnderTheSameNameAreRefused() {
    Map<String, UnaryOperator<FailoverSpecBuilder<String>>> changes =
        Map.ofEntries(
            Map.entry("domain", it -> it.domain("shared")),
            Map.entry("method", it -> it.method("A#b")),
            Map.entry("schemaVersion", it -> it.schemaVersion(2)),
            Map.entry("expiry", it -> it.expiry(Duration.ofMinutes(1))),
            Map.entry("expiryPolicy", it -> it.expiryPolicy((spec, asOf) -> asOf.plusSeconds(1))),
            Map.entry("keyGenerator", it -> it.keyGenerator((spec, args) -> "a")),
            Map.entry("recoverOn", it -> it.recoverOn(List.of(IOException.class))),
            Map.entry("neverOn", it -> it.neverOn(List.of(IOException.class))),
            Map.entry("removesOn", it -> it.removesOn(List.of(IOException.class))),
            Map.entry("keepIf", it -> it.keepIf(answer -> !answer.isEmpty())),
            Map.entry("pauseShare", it -> it.pauseShare(0.9)),
            Map.entry("pauseMinimum", it -> it.pauseMinimum(4)),
            Map.entry("pauseWindow", it -> it.pauseWindow(Duration.ofSeconds(20))),
            Map.entry("tombstones", it -> it.tombstones(false)),
            Map.entry("pause", it -> it.pause(Duration.ZERO, Duration.ofSeconds(30))),
            Map.entry("longestPause", it -> it.pause(Duration.ofSeconds(1), Duration.ofDays(1))),
            Map.entry("softTimeout", it -> it.softTimeout(Duration.ofSeconds(1))),
            Map.entry("hardTimeout", it -> it.hardTimeout(Duration.ofSeconds(1))));
    failovers.register(FailoverSpec.builder("price", String.class).build());
    failovers.call(FailoverSpec.builder("price", String.class).build(), args("a"), () -> "live");
    changes.forEach(
        (name, change) ->
            assertThatThrownBy(
                    () ->
                        failovers.call(
                            change.apply(FailoverSpec.builder("price", String.class)).build(),
                            args("a"),
                            () -> "live"))
                .as(name)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'price' is taken by one with other rules"));
    assertThatThrownBy(
            () ->
                failovers.call(
                    FailoverSpec.builder("price", Integer.class).build(), args("a"), () -> 1))
        .hasMessageContaining("other rules");
  }

  @Test
  void argumentsMayBeNull() {
    FailoverSpec<String> spec = FailoverSpec.builder("price", String.class).build();
    assertThat(failovers.call(spec, args("a", null), () -> "live")).isEqualTo("live");
    assertThat(args("a", null)).containsExactly("a", null);
    assertThat(args()).isEmpty();
    Object[] given = {"a"};
    List<Object> taken = args(given);
    given[0] = "b";
    assertThat(taken).containsExactly("a");
  }
}
