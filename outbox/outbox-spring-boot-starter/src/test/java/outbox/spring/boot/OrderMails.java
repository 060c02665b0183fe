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

  @OutboxListener("OrderPlaced")
  void mail(String json) {
    mailer.send(json);
  }
}
// endregion
