package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.transaction.annotation.Transactional;
import outbox.EventEnvelope;
import outbox.EventListener;

/** Listeners that cannot be: the start fails and says what to do. */
class ListenerMistakesTest {

  static class NoParameter {
    @OutboxListener("X")
    void listen() {}
  }

  static class ThreeParameters {
    @OutboxListener("X")
    void listen(EventEnvelope event, String json, String more) {}
  }

  static class Returns {
    @OutboxListener("X")
    String listen(EventEnvelope event) {
      return event.eventType();
    }
  }

  static class Static {
    @OutboxListener("X")
    static void listen(EventEnvelope event) {}
  }

  static class Blank {
    @OutboxListener(" ")
    void listen(EventEnvelope event) {}
  }

  static class NoType {
    @OutboxListener({})
    void listen(EventEnvelope event) {}
  }

  @OutboxListener("X")
  static class NoListener {}

  static class Untyped implements EventListener {
    @Override
    public void onEvent(EventEnvelope event) {}
  }

  static class FinalBehindAProxy {
    @Transactional
    public void work() {}

    @OutboxListener("X")
    public final void listen(EventEnvelope event) {}
  }

  private static void assertFails(Class<?> bean, String... texts) {
    Contexts.runner()
        .withBean(bean)
        .run(context -> assertThat(context.getStartupFailure()).hasMessageContainingAll(texts));
  }

  @Test
  void aListenerThatCannotBeOneFailsTheStartWithTheWayOut() {
    assertFails(
        NoParameter.class, "NoParameter.listen", "must take an EventEnvelope", "takes nothing");
    assertFails(
        ThreeParameters.class, "must take an EventEnvelope", "(EventEnvelope, String, String)");
    assertFails(
        Returns.class, "must return void or a CompletionStage but returns String", "wait for");
    assertFails(Static.class, "static", "remove the modifier");
    assertFails(Blank.class, "none blank", "\"*\" for all types");
    assertFails(NoType.class, "must name one type or more");
    assertFails(NoListener.class, "must be an EventListener", "put the annotation on a method");
    assertFails(Untyped.class, "must say of which types", "put @OutboxListener");
    assertFails(FinalBehindAProxy.class, "must not be final", "remove the modifier final");
  }

  @Test
  void allMistakesOfAllBeansAreNamedAtOnce() {
    Contexts.runner()
        .withBean(NoParameter.class)
        .withBean(Returns.class)
        .withBean(NoListener.class)
        .withBean(Blank.class)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasMessageContainingAll(
                        "NoParameter.listen", "Returns.listen", "NoListener", "Blank.listen"));
  }
}
