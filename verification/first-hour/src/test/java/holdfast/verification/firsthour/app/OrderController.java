package holdfast.verification.firsthour.app;

import failover.FailoverOutcome;
import java.io.IOException;
import java.util.UUID;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The shop over HTTP. Safe for use by many threads. */
@RestController
class OrderController {
  private final Supplier supplier;
  private final Orders orders;

  OrderController(Supplier supplier, Orders orders) {
    this.supplier = supplier;
    this.orders = orders;
  }

  /**
   * What a customer gets.
   *
   * @param kept whether the price is a stored answer of the supplier
   */
  record Receipt(String order, boolean kept) {}

  @PostMapping("/orders")
  Receipt place(@RequestParam String item) throws IOException {
    Supplier.Price price = supplier.price(item);
    boolean kept = FailoverOutcome.last().orElseThrow().kind() == FailoverOutcome.Kind.RECOVERED;
    String order = UUID.randomUUID().toString();
    orders.place(order, price);
    return new Receipt(order, kept);
  }
}
