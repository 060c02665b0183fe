package outbox.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventListener;
import outbox.StringEventType;

/** Who listens to what, and in which order. */
class DefaultListenerRegistryTest {
  private final DefaultListenerRegistry registry = new DefaultListenerRegistry();

  private static EventListener listener() {
    return new EventListener() {
      @Override
      public void onEvent(outbox.EventEnvelope event) {}
    };
  }

  @Test
  void exactListenersComeFirstThenThoseOfAllTypes() {
    EventListener all = listener();
    EventListener first = listener();
    EventListener second = listener();
    EventListener star = listener();
    registry.registerAll(all).register("A", first).register(StringEventType.of("A"), second);
    registry.register("*", star);
    assertThat(registry.listenersFor("A")).containsExactly(first, second, all, star);
    assertThat(registry.listenersFor("B")).containsExactly(all, star);
    assertThat(registry.listenersFor("*")).containsExactly(all, star);
  }

  @Test
  void withoutListenersTheListIsEmpty() {
    assertThat(registry.listenersFor("A")).isEmpty();
  }

  @Test
  void theListDoesNotChange() {
    registry.register("A", listener());
    List<EventListener> before = registry.listenersFor("A");
    registry.register("A", listener()).registerAll(listener());
    assertThat(before).hasSize(1);
    assertThat(registry.listenersFor("A")).hasSize(3);
    assertThatThrownBy(() -> before.add(listener()))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void oneListenerMayBeRegisteredTwice() {
    EventListener twice = listener();
    registry.register("A", twice).register("A", twice);
    assertThat(registry.listenersFor("A")).containsExactly(twice, twice);
  }

  @Test
  void namesNeverRunIntoEachOther() {
    EventListener first = listener();
    EventListener second = listener();
    registry.register("a:b", first).register("a", second);
    assertThat(registry.listenersFor("a:b")).containsExactly(first);
    assertThat(registry.listenersFor("a")).containsExactly(second);
    assertThat(registry.listenersFor("a:b:c")).isEmpty();
    assertThat(registry.listenersFor("b")).isEmpty();
    assertThat(registry.listenersFor("A:B")).isEmpty();
  }

  @Test
  void aBlankNameOrNoListenerIsRefused() {
    assertThatThrownBy(() -> registry.register(" ", listener()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "eventType must not be blank but was ' '; name the type, or use \"*\" for all types");
    assertThatThrownBy(() -> registry.register("OrderPlaced ", listener()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "eventType must not begin or end with a space but was 'OrderPlaced ', so no event would"
                + " match; remove the space");
    assertThatThrownBy(() -> registry.register("A", null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("register needs a listener but was given null");
    assertThatThrownBy(() -> registry.register((String) null, listener()))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("register needs an eventType but was given null");
  }
}
