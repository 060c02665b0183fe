package demo.outbox.spring;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import outbox.model.EventStatus;

/** The shop over HTTP. Safe for use by many threads. */
@RestController
class ShopController {
  private final Orders orders;
  private final MailServer mailServer;
  private final JdbcClient sql;

  ShopController(Orders orders, MailServer mailServer, JdbcClient sql) {
    this.orders = orders;
    this.mailServer = mailServer;
    this.sql = sql;
  }

  @PostMapping("/orders")
  Map<String, Object> place(@RequestParam String item) {
    return orders.place(item);
  }

  @PostMapping("/orders/sold-out")
  void placeAndFail(@RequestParam String item) {
    orders.placeAndFail(item);
  }

  @GetMapping("/mails")
  List<String> mails() {
    return mailServer.sent();
  }

  @PostMapping("/mail-server/break")
  void breakMailServer() {
    mailServer.setBroken(true);
  }

  @PostMapping("/mail-server/repair")
  void repairMailServer() {
    mailServer.setBroken(false);
  }

  /** How many events have each status. */
  @GetMapping("/counts")
  Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    for (EventStatus status : EventStatus.values()) {
      long count =
          sql.sql("SELECT COUNT(*) FROM outbox_event WHERE status = ?")
              .param(status.code())
              .query(Long.class)
              .single();
      counts.put(status.name(), count);
    }
    return counts;
  }
}
