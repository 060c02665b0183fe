package demo.outbox.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import outbox.jdbc.JdbcOutbox;

/** The shop over HTTP. Safe for use by many threads. */
@RestController
class ShopController {
  private final Orders orders;
  private final MailServer mailServer;
  private final JdbcOutbox outbox;

  ShopController(Orders orders, MailServer mailServer, JdbcOutbox outbox) {
    this.orders = orders;
    this.mailServer = mailServer;
    this.outbox = outbox;
  }

  /** Places orders, each in a transaction of its own. */
  @PostMapping("/orders")
  List<Map<String, Object>> place(
      @RequestParam String item, @RequestParam(defaultValue = "1") int count) {
    List<Map<String, Object>> placed = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      placed.add(orders.place(item));
    }
    return placed;
  }

  @PostMapping("/orders/sold-out")
  void placeAndFail(@RequestParam String item) {
    orders.placeAndFail(item);
  }

  @GetMapping("/mails")
  List<String> mails() {
    return mailServer.sent();
  }

  @PostMapping("/mail-server/fail")
  void failNext(@RequestParam int times) {
    mailServer.fail(times);
  }

  @PostMapping("/mail-server/hang")
  void hang() {
    mailServer.hang();
  }

  @PostMapping("/mail-server/go-on")
  void goOn() {
    mailServer.goOn();
  }

  /** The ledger as a line for people. */
  @GetMapping("/ledger")
  String ledger() {
    return outbox.ledger().toLine() + "\n";
  }
}
