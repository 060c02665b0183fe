package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.threads.Inbox;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import outbox.EventEnvelope;
import outbox.EventListener;

/** Listeners in beans that are made late, or anew each time, or are behind the proxy of a scope. */
class ListenerScopesTest {

  interface Mailing {
    void mail(EventEnvelope event);
  }

  static class Mails implements Mailing {
    private final Inbox inbox;

    Mails(Inbox inbox) {
      this.inbox = inbox;
    }

    @Override
    @OutboxListener("Method")
    public void mail(EventEnvelope event) {
      inbox.take("method");
    }
  }

  static class Stock implements EventListener {
    private final Inbox inbox;

    Stock(Inbox inbox) {
      this.inbox = inbox;
    }

    @Override
    public void onEvent(EventEnvelope event) {
      inbox.take("bean");
    }
  }

  @Configuration
  static class BehindInterfaces {
    @Bean
    @Scope(value = "prototype", proxyMode = ScopedProxyMode.INTERFACES)
    Mails mails(Inbox inbox) {
      return new Mails(inbox);
    }

    @Bean
    @OutboxListener("Bean")
    @Scope(value = "prototype", proxyMode = ScopedProxyMode.INTERFACES)
    Stock stock(Inbox inbox) {
      return new Stock(inbox);
    }
  }

  @Configuration
  static class BehindClasses {
    @Bean
    @Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
    Mails mails(Inbox inbox) {
      return new Mails(inbox);
    }

    @Bean
    @OutboxListener("Bean")
    @Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
    Stock stock(Inbox inbox) {
      return new Stock(inbox);
    }
  }

  @Configuration
  static class LateBeans {
    @Bean
    @Lazy
    Mails mails(Inbox inbox) {
      return new Mails(inbox);
    }

    @Bean
    @Lazy
    @OutboxListener("Bean")
    Stock stock(Inbox inbox) {
      return new Stock(inbox);
    }
  }

  private static void assertHeard(Class<?> beans) {
    Contexts.runner()
        .withBean(Inbox.class)
        .withUserConfiguration(beans)
        .run(
            context -> {
              Contexts.publish(context, "Method", "{}");
              assertThat(context.getBean(Inbox.class).next()).isEqualTo("method");
              Contexts.publish(context, "Bean", "{}");
              assertThat(context.getBean(Inbox.class).next()).isEqualTo("bean");
            });
  }

  @Test
  void listenersAreFoundBehindTheProxyOfAScopeAndInBeansThatAreMadeLate() {
    assertHeard(BehindInterfaces.class);
    assertHeard(BehindClasses.class);
    assertHeard(LateBeans.class);
  }
}
