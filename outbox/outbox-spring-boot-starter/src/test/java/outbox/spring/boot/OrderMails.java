package outbox.spring.boot;

import org.springframework.stereotype.Component;
import outbox.spring.boot.DocumentedExampleTest.Mailer;

// region listener
@Component
class OrderMails {
  private final Mailer mailer;

  OrderMails(Mailer mailer) {
    this.mailer = mailer;
  }

  @OutboxListener
  void mail(OrderPlaced order) {
    mailer.send(order.item());
  }
}
// endregion
