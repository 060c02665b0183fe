package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.sql.SQLException;
import outbox.EventEnvelope;
import outbox.model.EventStatus;

class PublishOnlyTest {

  @EachDatabase(DatabaseKind.H2)
  void aNodeThatOnlyPublishesCanBeStartedLikeAnyOther(TestDatabase database) throws SQLException {
    Table table = Table.fresh(database);
    try (JdbcOutbox outbox = JdbcOutbox.builder(database.dataSource()).publishOnly().build()) {
      outbox.start();
      String id;
      try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
        id = outbox.publish(EventEnvelope.ofJson("Left", "{}"));
        tx.commit();
      }

      assertThat(table.status(id)).isEqualTo(EventStatus.NEW);
      assertThat(table.row(id).get("claimed_by")).isNull();
    }
  }
}
