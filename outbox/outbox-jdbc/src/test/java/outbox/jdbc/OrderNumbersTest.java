package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Together;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;

/** The numbers of ordered events when many publish at once. */
class OrderNumbersTest {
  private static final int PUBLISHERS = 6;

  @EachDatabase
  void manyMayPublishTheFirstEventOfAnAggregateAtOnce(TestDatabase database) throws Exception {
    Table table = Table.fresh(database);
    try (JdbcOutbox outbox = JdbcOutbox.builder(database.dataSource()).publishOnly().build()) {
      for (int round = 0; round < 20; round++) {
        String aggregate = "a" + round;
        CountDownLatch ready = new CountDownLatch(PUBLISHERS);
        List<String> ids =
            Together.callAll(
                PUBLISHERS,
                () -> {
                  try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
                    ready.countDown();
                    ready.await();
                    String id = outbox.publish(Publishing.ordered("A", aggregate).build());
                    tx.commit();
                    return id;
                  }
                });
        List<Long> numbers = new ArrayList<>();
        for (String id : ids) {
          numbers.add(table.number(id, "order_number").longValue());
        }
        assertThat(numbers)
            .as("round %d", round)
            .containsExactlyInAnyOrderElementsOf(
                LongStream.rangeClosed(1, PUBLISHERS).boxed().toList());
      }
    }
  }
}
