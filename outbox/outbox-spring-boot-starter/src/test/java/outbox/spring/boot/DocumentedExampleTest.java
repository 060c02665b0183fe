package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.threads.Inbox;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** The example of docs/outbox.md: compiled beside this, run here, the same text there. */
class DocumentedExampleTest {

  /** Sends nothing. */
  static class Mailer {
    private final Inbox inbox;

    Mailer(Inbox inbox) {
      this.inbox = inbox;
    }

    void send(String text) {
      inbox.take(text);
    }
  }

  @Test
  void anOrderIsMailedAfterItsCommit() {
    Contexts.runner()
        .withBean(Inbox.class)
        .withBean(Mailer.class)
        .withBean(OrderMails.class)
        .withBean(Orders.class)
        .run(
            context -> {
              JdbcTemplate sql = context.getBean(JdbcTemplate.class);
              sql.execute("CREATE TABLE orders (item VARCHAR(20))");

              context.getBean(Orders.class).place("lamp");

              assertThat(context.getBean(Inbox.class).next()).isEqualTo("lamp");
              assertThat(sql.queryForObject("SELECT COUNT(*) FROM orders", Integer.class)).isOne();
            });
  }
}
