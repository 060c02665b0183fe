package eventbus.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import eventbus.spring.EventBusHandler;
import holdfast.testkit.threads.Inbox;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;

/** The example of docs/eventbus.md: compiled beside this, run here, the same text there. */
class DocumentedExampleTest {

  static class Readers {
    private final Inbox inbox;

    Readers(Inbox inbox) {
      this.inbox = inbox;
    }

    @EventBusHandler
    void read(InvoiceWritten invoice) {
      inbox.take("invoice of order " + invoice.order());
    }
  }

  @Test
  void aHandlerPublishesInItsTransaction() {
    Contexts.runner()
        .withBean(Invoices.class)
        .withBean(Inbox.class)
        .withBean(Readers.class)
        .run(
            context -> {
              assertThat(AopUtils.isAopProxy(context.getBean(Invoices.class))).isTrue();
              Contexts.bus(context).publishPayload(new OrderPlaced(1, "lamp"));

              assertThat(context.getBean(Inbox.class).next()).isEqualTo("invoice of order 1");
            });
  }
}
