package eventbus.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import eventbus.Event;
import eventbus.spring.EventBusHandler;
import holdfast.testkit.threads.Inbox;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;

/** When beans with handlers are made. */
class HandlerScopesTest {

  /** Counts how many of it were made. */
  static class Counted {
    private final Inbox inbox;

    Counted(Inbox inbox, AtomicInteger made) {
      this.inbox = inbox;
      made.incrementAndGet();
    }

    @EventBusHandler("Counted")
    void take(Event event) {
      inbox.take("taken");
    }
  }

  @Configuration
  static class LazyBeans {
    @Bean
    Inbox inbox() {
      return new Inbox();
    }

    @Bean
    AtomicInteger made() {
      return new AtomicInteger();
    }

    @Bean
    @Lazy
    Counted counted(Inbox inbox, AtomicInteger made) {
      return new Counted(inbox, made);
    }
  }

  @Configuration
  static class PrototypeBeans {
    @Bean
    Inbox inbox() {
      return new Inbox();
    }

    @Bean
    AtomicInteger made() {
      return new AtomicInteger();
    }

    @Bean
    @Scope("prototype")
    Counted counted(Inbox inbox, AtomicInteger made) {
      return new Counted(inbox, made);
    }
  }

  private static void assertMade(Class<?> beans, int afterTwoEvents) {
    Contexts.runner()
        .withUserConfiguration(beans)
        .run(
            context -> {
              AtomicInteger made = context.getBean(AtomicInteger.class);
              assertThat(made).as("before the first event").hasValue(0);
              Contexts.publish(context, "Counted");
              Contexts.publish(context, "Counted");

              assertThat(context.getBean(Inbox.class).next()).isEqualTo("taken");
              assertThat(context.getBean(Inbox.class).next()).isEqualTo("taken");
              assertThat(made).hasValue(afterTwoEvents);
            });
  }

  @Test
  void aLazyBeanIsMadeForItsFirstEventAndAPrototypeForEach() {
    assertMade(LazyBeans.class, 1);
    assertMade(PrototypeBeans.class, 2);
  }
}
