package demo.outbox.spring;

import org.springframework.stereotype.Component;
import outbox.EventEnvelope;
import outbox.spring.boot.OutboxListener;

/** Mails each order once it is committed. Safe for use by many threads. */
@Component
class OrderMails {
  private final Orders orders;
  private final MailServer mailServer;

  OrderMails(Orders orders, MailServer mailServer) {
    this.orders = orders;
    this.mailServer = mailServer;
  }

  @OutboxListener("OrderPlaced")
  void mail(EventEnvelope event) throws InterruptedException {
    String orderId = String.valueOf(event.aggregateId());
    mailServer.send("order " + orderId + ": " + orders.item(orderId));
  }
}
