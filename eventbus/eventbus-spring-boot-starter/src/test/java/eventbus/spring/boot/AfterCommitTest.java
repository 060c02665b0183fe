package eventbus.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import eventbus.Event;
import eventbus.EventBus;
import eventbus.spring.EventBusHandler;
import holdfast.testkit.threads.Inbox;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** Boot has the bus told of every transaction from its beginning. */
class AfterCommitTest {

  record OrderPlaced(String order) {}

  static class Announcer {
    private final EventBus bus;

    Announcer(EventBus bus) {
      this.bus = bus;
    }

    @TransactionalEventListener
    public void announce(OrderPlaced placed) {
      bus.publish(Event.of("OrderPlaced", placed.order()));
    }
  }

  static class Mailer {
    private final Inbox inbox;

    Mailer(Inbox inbox) {
      this.inbox = inbox;
    }

    @EventBusHandler("OrderPlaced")
    void mail(String order) {
      inbox.take(order);
    }
  }

  @Test
  void anEventPublishedAfterACommitIsKeptAlsoWhereNothingWasPublishedBefore() {
    Contexts.runner()
        .withBean(Inbox.class)
        .withBean(Announcer.class)
        .withBean(Mailer.class)
        .run(
            context -> {
              TransactionTemplate transactions = context.getBean(TransactionTemplate.class);
              transactions.executeWithoutResult(
                  tx -> {
                    context.publishEvent(new OrderPlaced("rolled back"));
                    tx.setRollbackOnly();
                  });
              transactions.executeWithoutResult(
                  tx -> context.publishEvent(new OrderPlaced("committed")));

              assertThat(context.getBean(Inbox.class).next()).isEqualTo("committed");
              assertThat(Contexts.bus(context).ledger().accepted()).isEqualTo(1);
            });
  }
}
