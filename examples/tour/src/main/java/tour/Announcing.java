package tour;

import demo.outboxtobus.Forwarder;
import java.util.Objects;
import outbox.EventEnvelope;
import outbox.EventListener;

/**
 * What follows an order: it is put on the bus, once, and a mail is sent. Safe for use by many
 * threads.
 */
final class Announcing implements EventListener {
  private final Forwarder forwarder;
  private final Mails mails;
  private final Steps steps;

  Announcing(Forwarder forwarder, Mails mails, Steps steps) {
    this.forwarder = forwarder;
    this.mails = mails;
    this.steps = steps;
  }

  @Override
  public void onEvent(EventEnvelope event) throws Exception {
    forwarder.onEvent(event);
    long order = Long.parseLong(Shop.parts(Objects.requireNonNull(event.payloadJson()))[0]);
    mails.send(order);
    steps.done("announce", order, "mail sent");
  }
}
