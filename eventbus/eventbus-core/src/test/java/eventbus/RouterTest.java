package eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which handlers an event reaches. */
class RouterTest {
  private final List<String> ran = new ArrayList<>();
  private final EventRouter router = new EventRouter();

  private EventHandler noting(String name) {
    return event -> ran.add(name);
  }

  @Test
  void onlyHandlersOfItsTypeRun() throws Exception {
    router.register("A", noting("a")).register("B", noting("b")).register("AB", noting("ab"));
    router.route(Buses.event("A"));
    assertThat(ran).containsExactly("a");
    assertThat(router.types()).containsExactly("A", "AB", "B");
    assertThat(router.handles("a")).isFalse();
  }

  @Test
  void anIdCannotBeTakenTwice() {
    router.register("A", "mail", noting("1")).register("B", "mail", noting("2"));
    assertThatThrownBy(() -> router.register("A", "mail", noting("3")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("handlers of type 'A'")
        .hasMessageContaining("'mail' is registered already");
    router.register("C", noting("4"));
    assertThatThrownBy(() -> router.register("C", noting("5"))).hasMessageContaining("'default'");
  }

  @Test
  void aHandlerIsOfOneType() {
    assertThatThrownBy(() -> router.register("*", noting("all")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type must be one type, each with a handler of its own, but was '*'");
  }

  @Test
  void aTypeWithoutAHandlerIsAnError() {
    assertThatThrownBy(() -> router.route(Buses.event("A")))
        .isInstanceOf(NoHandlerException.class)
        .hasMessage("no handler for type 'A'; register one on the router");
  }

  @Test
  void everyHandlerRunsWhateverBecameOfTheOthers() {
    IOException first = new IOException("first");
    AssertionError second = new AssertionError("second");
    router
        .register(
            "A",
            "1",
            event -> {
              throw first;
            })
        .register("A", "2", noting("2"))
        .register(
            "A",
            "3",
            event -> {
              throw second;
            })
        .register("A", "4", noting("4"));
    RouteResult result = router.tryRoute(Buses.event("A"));
    assertThat(ran).containsExactly("2", "4");
    assertThat(result.done()).containsExactlyInAnyOrder("2", "4");
    assertThatThrownBy(() -> router.route(Buses.event("A")))
        .isSameAs(first)
        .hasSuppressedException(second);
  }

  @Test
  void whoIsDoneDoesNotRunAgain() throws Exception {
    router.register("A", "1", noting("1")).register("A", "2", noting("2"));
    Claim claim = new Claim(1, 1, 2, 1, null, 0, Set.of("1"), Instant.EPOCH, Instant.EPOCH);
    router.route(Event.builder("A").claimed(claim));
    assertThat(ran).containsExactly("2");
  }

  @Test
  void afterAnErrorOfTheMachineNoOtherIsBegun() {
    router
        .register(
            "A",
            "1",
            event -> {
              throw new OutOfMemoryError("made up");
            })
        .register("A", "2", noting("2"));
    assertThatThrownBy(() -> router.route(Buses.event("A"))).isInstanceOf(OutOfMemoryError.class);
    assertThat(ran).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\nb"})
  void handlerIdsAreChecked(String id) {
    assertThatThrownBy(() -> router.register("A", id, noting("x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("id must have 1 to 128 characters");
  }
}
