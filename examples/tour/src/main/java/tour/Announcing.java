package tour;

import demo.outboxtobus.Forwarder;
import holdfast.payload.PayloadEventHandler;
import outbox.EventEnvelope;
import tracer.TraceSpan;

/**
 * What follows an order: it is put on the bus, once, and a mail is sent. Safe for use by many
 * threads.
 */
final class Announcing implements PayloadEventHandler<OrderPlaced, EventEnvelope> {
  private final Forwarder forwarder;
  private final Mails mails;
  private final Steps steps;

  Announcing(Forwarder forwarder, Mails mails, Steps steps) {
    this.forwarder = forwarder;
    this.mails = mails;
    this.steps = steps;
  }

  @Override
  public void handle(OrderPlaced placed, EventEnvelope event) throws Exception {
    try (TraceSpan span = steps.trace().span(Steps.ANNOUNCE, placed.order())) {
      span.flow(placed.order());
      forwarder.onEvent(event);
      sendMail(placed.order());
    }
    steps.done("announce", placed.order(), "mail sent");
  }

  private void sendMail(long order) throws Exception {
    steps.trace().begin(Steps.MAIL);
    try {
      mails.send(order);
    } finally {
      steps.trace().end(Steps.MAIL);
    }
  }
}
