package eventbus.spring.boot;

import eventbus.EventBus;
import eventbus.spring.EventBusHandler;
import holdfast.payload.PayloadType;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

// region handler
@PayloadType("OrderPlaced")
record OrderPlaced(long id, String item) {}

@PayloadType("InvoiceWritten")
record InvoiceWritten(long order) {}

@Service
class Invoices {
  private final EventBus bus;

  Invoices(EventBus bus) {
    this.bus = bus;
  }

  @Transactional
  @EventBusHandler
  public void write(OrderPlaced order) {
    // ... write the invoice, and in the same transaction:
    bus.publishPayload(new InvoiceWritten(order.id()));
  }
}
// endregion
