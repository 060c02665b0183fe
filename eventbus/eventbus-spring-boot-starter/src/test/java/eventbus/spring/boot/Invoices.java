package eventbus.spring.boot;

import eventbus.Event;
import eventbus.EventBus;
import eventbus.spring.EventBusHandler;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

// region handler
@Service
class Invoices {
  private final EventBus bus;

  Invoices(EventBus bus) {
    this.bus = bus;
  }

  @Transactional
  @EventBusHandler("OrderPlaced")
  public void write(String payload, Event event) {
    // ... write the invoice, and in the same transaction:
    bus.publish(Event.of("InvoiceWritten", payload));
  }
}
// endregion
