package eventbus.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import eventbus.Event;
import eventbus.spring.EventBusHandler;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.transaction.annotation.Transactional;

/** Handlers that cannot be: the start fails, names all of them and says what to do. */
class HandlerMistakesTest {

  static class NoParameter {
    @EventBusHandler("X")
    void listen() {}
  }

  static class WrongParameters {
    @EventBusHandler("X")
    void listen(Event event, Integer number) {}
  }

  static class Returns {
    @EventBusHandler("X")
    String listen(Event event) {
      return event.type();
    }
  }

  static class Static {
    @EventBusHandler("X")
    static void listen(Event event) {}
  }

  static class Blank {
    @EventBusHandler(" ")
    void listen(Event event) {}
  }

  static class NoType {
    @EventBusHandler
    void listen(Event event) {}
  }

  static class BadId {
    @EventBusHandler(type = "X", id = "a\nb")
    void listen(Event event) {}
  }

  static class TwoOfOneType {
    @EventBusHandler("X")
    void one(Event event) {}

    @EventBusHandler("X")
    void other(Event event) {}
  }

  static class FinalBehindAProxy {
    @Transactional
    public void work() {}

    @EventBusHandler("X")
    public final void listen(Event event) {}
  }

  static class PrivateBehindAProxy {
    @Transactional
    public void work() {}

    @EventBusHandler("X")
    private void listen(Event event) {}
  }

  interface Shown {
    void work();
  }

  static class NotShown implements Shown {
    @Override
    public void work() {}

    @EventBusHandler("X")
    public void listen(Event event) {}
  }

  @Configuration
  static class JdkProxy {
    @Bean
    @Scope(proxyMode = ScopedProxyMode.INTERFACES)
    NotShown notShown() {
      return new NotShown();
    }
  }

  private static void assertFails(Class<?> bean, String... texts) {
    Contexts.runner()
        .withUserConfiguration(bean)
        .run(context -> assertThat(context.getStartupFailure()).hasMessageContainingAll(texts));
  }

  @Test
  void aMethodThatCannotHandleFailsTheStartWithTheWayOut() {
    assertFails(
        NoParameter.class, "NoParameter.listen", "takes nothing", "write void listen(Event event)");
    assertFails(WrongParameters.class, "must take an Event", "(Event, Integer)");
    assertFails(
        Returns.class, "must return void or a CompletionStage but returns String", "wait for");
    assertFails(Static.class, "static", "remove the modifier");
    assertFails(Blank.class, "Blank.listen", "type must have 1 to 128 characters");
    assertFails(
        NoType.class, "must name a type but names none", "@EventBusHandler(\"OrderPlaced\")");
    assertFails(BadId.class, "BadId.listen", "id must have 1 to 128 characters");
    assertFails(
        TwoOfOneType.class,
        "TwoOfOneType.one",
        "TwoOfOneType.other",
        "both handle 'X' under the id 'default'",
        "@EventBusHandler(type = \"X\", id = \"...\")");
    assertFails(FinalBehindAProxy.class, "must not be final", "remove the modifier final");
    assertFails(PrivateBehindAProxy.class, "callable through the proxy", "make it public");
    assertFails(JdkProxy.class, "NotShown.listen", "declare it in an interface");
  }

  @Test
  void allMistakesOfAllBeansAreNamedAtOnce() {
    Contexts.runner()
        .withBean(NoParameter.class)
        .withBean(Returns.class)
        .withBean(NoType.class)
        .withBean(TwoOfOneType.class)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasMessageContainingAll(
                        "NoParameter.listen",
                        "Returns.listen",
                        "NoType.listen",
                        "TwoOfOneType.one"));
  }

  static class Twice {
    @EventBusHandler("X")
    void listen(Event event) {}
  }

  @Test
  void twoBeansOfOneClassAreToldApartByTheirNames() {
    Contexts.runner()
        .withBean("left", Twice.class)
        .withBean("right", Twice.class)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasMessageContainingAll("bean 'left'", "bean 'right'", "both handle 'X'"));
  }
}
