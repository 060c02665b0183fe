package outbox.spring;

import static holdfast.testkit.db.DatabaseKind.H2;
import static holdfast.testkit.db.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.JdbcOutbox;

/** Appendix B of the specification: the client inside methods that are transactional. */
class TransactionalPublishTest {

  static class Orders {
    private final OutboxClient client;

    Orders(OutboxClient client) {
      this.client = client;
    }

    @Transactional
    public String place(String json) {
      return client.publish(EventEnvelope.ofJson("OrderPlaced", json));
    }

    @Transactional
    public void placeAndFail(String json) {
      place(json);
      throw new IllegalArgumentException("sold out");
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public String placeForItself(String json) {
      return place(json);
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void placeForItselfAndFail(String json) {
      placeAndFail(json);
    }

    @Transactional(readOnly = true)
    public void placeWhileOnlyReading(String json) {
      place(json);
    }

    @Transactional(propagation = Propagation.SUPPORTS)
    public void placeIfThereIsOne(String json) {
      place(json);
    }

    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    public void placeWithout(String json) {
      place(json);
    }

    @Transactional(propagation = Propagation.NESTED)
    public void placeNestedAndFail(String json) {
      placeAndFail(json);
    }
  }

  static class Shop {
    private final Orders orders;

    Shop(Orders orders) {
      this.orders = orders;
    }

    @Transactional
    public void placeInAnotherAndFail(String kept, String lost) {
      orders.placeForItself(kept);
      orders.placeAndFail(lost);
    }

    @Transactional
    public void placeInSpiteOfAnotherThatFails(String lost, String kept) {
      orders.place(kept);
      try {
        orders.placeForItselfAndFail(lost);
      } catch (IllegalArgumentException soldOut) {
        assertThat(soldOut).hasMessage("sold out");
      }
    }

    @Transactional
    public void placeWithoutInside(String json) {
      orders.placeWithout(json);
    }

    @Transactional
    public void placeInsideThoughTheInnerOnlyReads(String json) {
      orders.placeWhileOnlyReading(json);
    }

    @Transactional
    public void placeInSpiteOfAFailedPart(String lost, String kept) {
      try {
        orders.placeNestedAndFail(lost);
      } catch (IllegalArgumentException soldOut) {
        orders.place(kept);
      }
    }
  }

  /** What the beans are made of; set before each context is. */
  private record Wiring(DataSource dataSource, BlockingQueue<EventEnvelope> delivered) {}

  private static Wiring wiring;

  @Configuration
  @EnableTransactionManagement(proxyTargetClass = true)
  static class Beans {
    @Bean
    DataSourceTransactionManager transactionManager() {
      return new DataSourceTransactionManager(wiring.dataSource());
    }

    @Bean(initMethod = "start")
    JdbcOutbox outbox() {
      return JdbcOutbox.builder(wiring.dataSource())
          .createTables()
          .txContext(new SpringTxContext(wiring.dataSource()))
          .pollerEnabled(false)
          .listener("OrderPlaced", wiring.delivered()::add)
          .closeTimeout(Duration.ofSeconds(5))
          .build();
    }

    @Bean
    Orders orders(JdbcOutbox outbox) {
      return new Orders(outbox.client());
    }

    @Bean
    Shop shop(Orders orders) {
      return new Shop(orders);
    }
  }

  private final BlockingQueue<EventEnvelope> delivered = new LinkedBlockingQueue<>();
  private AnnotationConfigApplicationContext beans;
  private JdbcTemplate sql;
  private Orders orders;

  @BeforeEach
  void start(TestDatabase database) {
    DataSource dataSource = database.dataSource();
    sql = new JdbcTemplate(dataSource);
    wiring = new Wiring(dataSource, delivered);
    beans = new AnnotationConfigApplicationContext(Beans.class);
    sql.update("DELETE FROM outbox_event");
    orders = beans.getBean(Orders.class);
  }

  @AfterEach
  void stop() {
    beans.close();
  }

  private String nextDelivered() throws InterruptedException {
    EventEnvelope event = delivered.poll(30, TimeUnit.SECONDS);
    return event == null ? "nothing" : event.eventId();
  }

  private int rows() {
    return sql.queryForObject("SELECT COUNT(*) FROM outbox_event", Integer.class);
  }

  @EachDatabase({H2, POSTGRESQL})
  void anEventOfATransactionalMethodIsDeliveredAfterItsCommit() throws Exception {
    String id = orders.place("{\"id\":1}");

    assertThat(nextDelivered()).isEqualTo(id);
    assertThat(rows()).isEqualTo(1);
  }

  @EachDatabase({H2, POSTGRESQL})
  void anEventOfAFailedMethodIsGone() {
    try {
      orders.placeAndFail("{}");
    } catch (IllegalArgumentException soldOut) {
      assertThat(soldOut).hasMessage("sold out");
    }

    assertThat(rows()).isZero();
    assertThat(delivered).isEmpty();
  }

  @EachDatabase({H2, POSTGRESQL})
  void anEventOfAFailedNestedMethodIsGoneAndTheOthersAreDelivered() throws Exception {
    beans.getBean(Shop.class).placeInSpiteOfAFailedPart("{\"n\":1}", "{\"n\":2}");

    assertOnlyDelivered("2");
  }

  @EachDatabase({H2, POSTGRESQL})
  void aTransactionOfItsOwnKeepsItsEventWhenTheOuterOneFails() throws Exception {
    try {
      beans.getBean(Shop.class).placeInAnotherAndFail("{\"n\":1}", "{\"n\":2}");
    } catch (IllegalArgumentException soldOut) {
      assertThat(soldOut).hasMessage("sold out");
    }

    assertOnlyDelivered("1");
  }

  @EachDatabase({H2, POSTGRESQL})
  void aTransactionOfItsOwnThatFailsTakesOnlyItsOwnEvent() throws Exception {
    beans.getBean(Shop.class).placeInSpiteOfAnotherThatFails("{\"n\":1}", "{\"n\":2}");

    assertOnlyDelivered("2");
  }

  @EachDatabase({H2, POSTGRESQL})
  void aReadOnlyTransactionIsRefusedWithTheWayOutOnEveryDatabase() throws Exception {
    assertThatIllegalStateException()
        .isThrownBy(() -> orders.placeWhileOnlyReading("{}"))
        .withMessageContaining("must be able to write but is read-only")
        .withMessageContaining("remove readOnly = true");
    assertThat(rows()).isZero();

    beans.getBean(Shop.class).placeInsideThoughTheInnerOnlyReads("{\"n\":3}");
    assertOnlyDelivered("3");
  }

  @EachDatabase({H2, POSTGRESQL})
  void methodsThatRunWithoutATransactionAreRefused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> orders.placeIfThereIsOne("{}"))
        .withMessageContaining("found none");
    assertThatIllegalStateException()
        .isThrownBy(() -> beans.getBean(Shop.class).placeWithoutInside("{}"))
        .withMessageContaining("found none");
    assertThat(rows()).isZero();
  }

  private void assertOnlyDelivered(String number) throws InterruptedException {
    EventEnvelope only = delivered.poll(30, TimeUnit.SECONDS);
    assertThat(only).isNotNull();
    assertThat(only.payloadJson()).contains(number);
    assertThat(rows()).isEqualTo(1);
    assertThat(delivered).isEmpty();
  }

  @EachDatabase({H2, POSTGRESQL})
  void publishingOutsideATransactionIsRefused() {
    OutboxClient client = beans.getBean(JdbcOutbox.class).client();

    assertThatIllegalStateException()
        .isThrownBy(() -> client.publish(EventEnvelope.ofJson("OrderPlaced", "{}")))
        .withMessageContaining("@Transactional");
    assertThat(rows()).isZero();
  }
}
