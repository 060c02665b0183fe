package eventbus.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Whether an application on PostgreSQL keeps a connection to be woken on. */
@Timeout(120)
class WakeUpPropertyTest {

  private interface Check {
    void on(AssertableApplicationContext context) throws Exception;
  }

  private static void with(TestDatabase database, Check check, String... properties) {
    Contexts.runner()
        .withBean(Desk.class)
        .withPropertyValues(
            "spring.datasource.url=" + database.url(),
            "spring.datasource.username=" + database.user(),
            "spring.datasource.password=" + database.password(),
            "eventbus.initialize-schema=always")
        .withPropertyValues(properties)
        .run(check::on);
  }

  private static int listeners(AssertableApplicationContext context) {
    return context
        .getBean(JdbcTemplate.class)
        .queryForObject(
            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()"
                + " AND query = 'LISTEN holdfast_events'",
            Integer.class);
  }

  /** Handles an event, after which it would listen. */
  private static void handleOne(AssertableApplicationContext context) {
    long id = Contexts.publish(context, "Taken");
    Eventually.await("handled", () -> Contexts.logged(context, id).equals("COMPLETED"));
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void byDefaultItIsWoken(TestDatabase database) {
    with(database, context -> Eventually.await("listens", () -> listeners(context) == 1));
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void switchedOffItOnlyPolls(TestDatabase database) {
    with(
        database,
        context -> {
          handleOne(context);
          assertThat(listeners(context)).isZero();
        },
        "eventbus.wake-up=false");
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void aPoolOfThreeConnectionsKeepsThem(TestDatabase database) {
    with(
        database,
        context -> {
          handleOne(context);
          assertThat(listeners(context)).isZero();
        },
        "spring.datasource.hikari.maximum-pool-size=3");
  }
}
