package failover.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import failover.Failovers;
import failover.caffeine.CaffeineFailoverStore;
import failover.jdbc.JdbcFailoverStore;
import failover.spring.boot.Shop.Price;
import failover.store.AsyncFailoverStore;
import failover.store.FailoverStore;
import failover.store.FailoverStore.FailoverStoreSizeAware;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import failover.store.WriteSkippingFailoverStore;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.ApplicationContext;

/** Each property of the store in a whole application, where it changes something. */
class StorePropertiesTest {

  private static Price ask(ApplicationContext context, String sku) throws Exception {
    return context.getBean(Shop.class).price(sku);
  }

  private static long stored(AssertableApplicationContext context) {
    return context.getBean(Failovers.class).stored().entries("price", 1_000).size();
  }

  @Test
  void theStoreIsWhatTheTypeSays() {
    Contexts.shop()
        .withPropertyValues("failover.store.type=caffeine", "failover.store.caffeine.max-size=2")
        .run(
            context -> {
              assertThat(context).hasSingleBean(CaffeineFailoverStore.class);
              for (int i = 0; i < 100; i++) {
                ask(context, "sku" + i);
              }
              assertThat(stored(context)).isBetween(1L, 2L);
            });
    Contexts.shop()
        .withPropertyValues("failover.store.type=inmemory", "failover.store.inmemory.max-entries=3")
        .run(
            context -> {
              for (int i = 0; i < 10; i++) {
                ask(context, "sku" + i);
              }
              assertThat(stored(context)).isEqualTo(3);
            });
    InMemoryFailoverStore own = new InMemoryFailoverStore();
    Contexts.shop()
        .withBean(FailoverStore.class, () -> own)
        .withPropertyValues("failover.store.type=custom")
        .run(
            context -> {
              ask(context, "a");
              assertThat(own.entries("price", 100)).hasSize(1);
            });
  }

  @Test
  void theMemoryOfStoresIsBounded() {
    for (String bound :
        List.of(
            "failover.store.inmemory.max-bytes=2000", "failover.store.caffeine.max-bytes=2000")) {
      String type = bound.contains("inmemory") ? "inmemory" : "caffeine";
      Contexts.shop()
          .withPropertyValues("failover.store.type=" + type, bound)
          .run(
              context -> {
                for (int i = 0; i < 100; i++) {
                  ask(context, "sku" + i);
                }
                assertThat(stored(context)).isBetween(1L, 5L);
              });
    }
    Contexts.jdbc()
        .withPropertyValues(
            "failover.store.jdbc.near=false", "failover.store.async-executor.max-bytes=100")
        .run(
            context -> {
              ask(context, "too large");
              assertThat(context.getBean(AsyncFailoverStore.class).dropped()).isEqualTo(1);
            });
  }

  @Test
  void whatAnotherNodeForgetsIsNotGivenAfterTheCheckInterval() {
    Contexts.jdbc()
        .withPropertyValues("failover.store.jdbc.check-interval=20ms")
        .run(
            context -> {
              ask(context, "a");
              JdbcFailoverStore table = new JdbcFailoverStore(context.getBean(DataSource.class));
              Eventually.await("it is written", () -> table.liveEntryCount("price") == 1);
              Contexts.target(context).goDown();
              assertThat(ask(context, "a")).isNotNull();
              table.deleteAll("price");
              Eventually.await("it is dropped", () -> isNotGiven(context));
            });
  }

  private static boolean isNotGiven(ApplicationContext context) throws Exception {
    try {
      ask(context, "a");
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void answersInATableAreThereForTheNextProcess() {
    Contexts.jdbc()
        .withPropertyValues(
            "spring.datasource.generate-unique-name=false",
            "spring.datasource.url=jdbc:h2:mem:failover_next;DB_CLOSE_DELAY=-1",
            "failover.store.jdbc.table-prefix=SHOP_",
            "failover.close-timeout=30s")
        .run(
            context -> {
              assertThat(context).hasSingleBean(NearFarFailoverStore.class);
              ask(context, "a");
            });
    Contexts.jdbc()
        .withPropertyValues(
            "spring.datasource.generate-unique-name=false",
            "spring.datasource.url=jdbc:h2:mem:failover_next;DB_CLOSE_DELAY=-1",
            "failover.store.jdbc.table-prefix=SHOP_",
            "failover.store.jdbc.initialize-schema=never")
        .run(
            context -> {
              Contexts.target(context).goDown();
              assertThat(ask(context, "a")).isEqualTo(new Price("a", 100));
              try (var connection = context.getBean(DataSource.class).getConnection();
                  var rows =
                      connection
                          .createStatement()
                          .executeQuery("SELECT COUNT(*) FROM SHOP_FAILOVER_STORE")) {
                rows.next();
                assertThat(rows.getInt(1)).isEqualTo(1);
              }
            });
  }

  @Test
  void withoutDrainingWhatWaitsIsNotWaitedFor() {
    Contexts.shop()
        .withPropertyValues("failover.close-timeout=0s")
        .run(context -> assertThat(ask(context, "a")).isNotNull());
  }

  @Test
  void theTableMayBeUsedAsItIs() {
    Contexts.jdbc()
        .withPropertyValues("failover.store.jdbc.near=false")
        .run(context -> assertThat(context).hasSingleBean(AsyncFailoverStore.class));
    Contexts.jdbc()
        .withPropertyValues("failover.store.jdbc.near=false", "failover.store.async=false")
        .run(
            context -> {
              assertThat(context).hasSingleBean(WriteSkippingFailoverStore.class);
              ask(context, "a");
              assertThat(stored(context)).isEqualTo(1);
            });
  }

  @Test
  void countingRowsIsAskedFor() {
    Contexts.jdbc()
        .run(
            context ->
                assertThat(
                        ((FailoverStoreSizeAware) context.getBean(FailoverStore.class))
                            .liveEntryCountSupported())
                    .isFalse());
    Contexts.jdbc()
        .withPropertyValues("failover.store.jdbc.live-entries-gauge-enabled=true")
        .run(
            context -> {
              FailoverStoreSizeAware store =
                  (FailoverStoreSizeAware) context.getBean(FailoverStore.class);
              assertThat(store.liveEntryCountSupported()).isTrue();
              ask(context, "a");
              Eventually.await("it is written", () -> store.liveEntryCount("price") == 1);
            });
  }

  @Test
  void theQueueOfWritesIsBounded() {
    Contexts.jdbc()
        .withPropertyValues(
            "failover.store.jdbc.near=false",
            "spring.datasource.hikari.maximum-pool-size=1",
            "failover.store.async-executor.concurrency-limit=1",
            "failover.store.async-executor.rejection-policy=abort")
        .run(
            context -> {
              AsyncFailoverStore store = context.getBean(AsyncFailoverStore.class);
              DataSource dataSource = context.getBean(DataSource.class);
              try (var connection = dataSource.getConnection()) { // the only one there is
                assertThat(connection.isClosed()).isFalse();
                ask(context, "waits");
                ask(context, "finds no room");
              }
              assertThat(store.dropped()).isEqualTo(1);
              assertThat(context.getBean(Failovers.class).counts().get("price").storeFailures())
                  .isEqualTo(1);
            });
  }
}
