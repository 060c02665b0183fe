package demo.outbox.spring;

import org.springframework.stereotype.Component;
import outbox.spring.boot.OutboxListener;

/** Mails each order once it is committed. Safe for use by many threads. */
@Component
class OrderMails {
  private final MailServer mailServer;

  OrderMails(MailServer mailServer) {
    this.mailServer = mailServer;
  }

  @OutboxListener
  void mail(OrderPlaced placed) throws InterruptedException {
    mailServer.send("order " + placed.orderId() + ": " + placed.item());
  }
}
