package failover.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverCall;
import failover.FailoverResult;
import failover.FailoverSpec;
import failover.FailoverSpecBuilder;
import failover.Failovers;
import failover.TypeRef;
import failover.slices.AbstractListPayloadSplitter;
import failover.store.AsyncFailoverStore;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import failover.store.WriteSkippingFailoverStore;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Answers that are kept by their elements, in a table. */
class SlicesOnTableTest {
  private static final IOException DOWN = new IOException("down");

  record Item(int id, String name) {}

  private static final class Items extends AbstractListPayloadSplitter<Item> {
    Items() {
      super(Item.class);
    }

    @Override
    protected List<Object> keyArgsForSlice(FailoverCall<?> call, Item slice) {
      return List.of(slice.id());
    }
  }

  private static FailoverSpecBuilder<List<Item>> items(String name) {
    return FailoverSpec.builder(name, new TypeRef<List<Item>>() {})
        .domain("slices")
        .pause(Duration.ZERO, Duration.ZERO)
        .payloadSplitter(new Items());
  }

  private final SettableTime time = new SettableTime();
  private final FailoverSpec<List<Item>> byId = items("by-id").build();
  private final FailoverSpec<List<Item>> byFilter = items("by-filter").recoverAll(true).build();

  private static StatementLog log(TestDatabase database) throws SQLException {
    FailoverSchema.createIfMissing(database.dataSource());
    new JdbcFailoverStore(database.dataSource()).deleteAll("slices");
    return new StatementLog(database.dataSource());
  }

  private static List<Integer> ids(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  private static Item item(int id) {
    return new Item(id, "name " + id);
  }

  private void answered(Failovers failovers, List<Integer> ids) {
    failovers.call(byId, List.of(ids), () -> ids.stream().map(SlicesOnTableTest::item).toList());
  }

  private FailoverResult<List<Item>> recovered(Failovers failovers, List<Integer> ids)
      throws IOException {
    return failovers.callForResult(
        byId,
        List.of(ids),
        () -> {
          throw DOWN;
        });
  }

  @EachDatabase
  void whatOneProcessHasStoredAnotherRecoversWithAFewStatements(TestDatabase database)
      throws Exception {
    StatementLog log = log(database);
    try (Failovers earlier =
        Failovers.builder(new JdbcFailoverStore(log.dataSource())).time(time).build()) {
      answered(earlier, ids(0, 300));
      assertThat(log.executions()).containsExactly("executeBatch");
      answered(earlier, ids(300, 310));
    }
    log.clear();
    try (Failovers later =
        Failovers.builder(new JdbcFailoverStore(log.dataSource())).time(time).build()) {
      FailoverResult<List<Item>> result = recovered(later, ids(298, 312));
      assertThat(result.value()).isEqualTo(ids(298, 310).stream().map(id -> item(id)).toList());
      assertThat(result.freshnessOf(311)).isEqualTo(FailoverResult.Freshness.MISSING);
      assertThat(log.executions()).hasSize(1);
      log.clear();
      assertThat(recovered(later, ids(0, 310)).value()).hasSize(310);
      assertThat(log.executions()).hasSize(2);
      log.clear();
      FailoverResult<List<Item>> all =
          later.callForResult(
              byFilter,
              List.of("any"),
              () -> {
                throw DOWN;
              });
      assertThat(all.value()).hasSize(310).contains(item(0), item(309));
      assertThat(log.executions()).hasSize(3); // one lists, two read
      assertThatThrownBy(() -> recovered(later, ids(500, 510))).isSameAs(DOWN);
    }
  }

  @EachDatabase
  void behindAQueueAndCopiesTheyAreOneWriteAndNoRead(TestDatabase database) throws Exception {
    StatementLog log = log(database);
    AsyncFailoverStore far =
        new AsyncFailoverStore(
            new WriteSkippingFailoverStore(new JdbcFailoverStore(log.dataSource())));
    InMemoryFailoverStore near = new InMemoryFailoverStore();
    try (Failovers failovers =
        Failovers.builder(new NearFarFailoverStore(near, far, Duration.ofSeconds(5), time))
            .time(time)
            .build()) {
      time.awaitSleepers(1); // the first check for changes is over
      answered(failovers, ids(0, 150));
      Eventually.await("all is written", () -> far.waiting() == 0);
      assertThat(log.executions()).containsExactly("executeBatch");
      log.clear();
      assertThat(recovered(failovers, ids(0, 150)).value()).hasSize(150);
      assertThat(log.executions()).isEmpty();
      near.deleteAll("slices");
      assertThat(recovered(failovers, ids(0, 150)).value()).hasSize(150);
      assertThat(log.executions()).hasSize(1);
      assertThat(recovered(failovers, ids(0, 150)).value()).hasSize(150);
      assertThat(log.executions()).hasSize(1);
    }
  }
}
