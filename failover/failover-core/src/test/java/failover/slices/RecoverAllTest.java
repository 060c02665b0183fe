package failover.slices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverResult;
import failover.FailoverSpec;
import failover.Failovers;
import failover.slices.Catalog.Item;
import failover.slices.Catalog.Items;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Calls that get all slices there are. */
class RecoverAllTest {
  private final SettableTime time = new SettableTime();
  private final InMemoryFailoverStore store = new InMemoryFailoverStore();
  private final Catalog catalog = new Catalog();
  private final FailoverSpec<List<Item>> byFilter =
      Catalog.items("items").payloadSplitter(new Items()).recoverAll(true).build();
  private final FailoverSpec<List<Item>> byId =
      Catalog.items("by-id").domain("items").payloadSplitter(new Items()).build();
  private final Failovers failovers = Failovers.builder(store).time(time).build();

  private FailoverResult<List<Item>> filtered(Failovers asked, String filter) throws IOException {
    return asked.callForResult(byFilter, List.of(filter), () -> catalog.items(List.of(1, 2)));
  }

  @Test
  void aFilterIsNoKey() throws IOException {
    filtered(failovers, "small");
    time.advance(Duration.ofSeconds(10));
    catalog.ask(failovers, byId, 3);
    catalog.isDown = true;
    FailoverResult<List<Item>> all = filtered(failovers, "large");
    assertThat(all.value())
        .containsExactlyInAnyOrder(catalog.item(1), catalog.item(2), catalog.item(3));
    assertThat(all.asOf()).isEqualTo(SettableTime.START);
    assertThat(all.slices()).isEmpty();
    assertThat(filtered(failovers, "other").value()).isEqualTo(all.value());
  }

  @Test
  void callsWithoutArgumentsGetAllAsWell() throws IOException {
    catalog.ask(failovers, byId, 1, 2);
    assertThat(
            failovers.<List<Item>, IOException>call(
                byId,
                List.of(),
                () -> {
                  throw catalog.down;
                }))
        .hasSize(2);
  }

  @Test
  void whatHasExpiredOrWasRemovedIsNotThere() throws IOException {
    catalog.ask(failovers, byId, 1);
    time.advance(Duration.ofMinutes(30));
    catalog.ask(failovers, byId, 2, 3);
    time.advance(Duration.ofMinutes(1));
    failovers.<List<Item>, IOException>call(byId, List.of(List.of(3)), () -> null);
    time.advance(Duration.ofMinutes(30));
    catalog.isDown = true;
    FailoverSpec<List<Item>> complete =
        Catalog.items("complete")
            .domain("items")
            .payloadSplitter(new Items())
            .partialRecovery(PartialRecovery.FAIL)
            .build();
    assertThat(
            failovers.<List<Item>, IOException>call(
                complete, List.of(), () -> catalog.items(List.of())))
        .containsExactly(catalog.item(2));
    time.advance(Duration.ofMinutes(30));
    assertThatThrownBy(() -> filtered(failovers, "any")).isSameAs(catalog.down);
    assertThat(failovers.ledger().lostByReason()).containsEntry("expired", 1L);
  }

  @Test
  void withNothingStoredTheCallerGetsTheVeryThrowable() {
    catalog.isDown = true;
    assertThatThrownBy(() -> filtered(failovers, "any")).isSameAs(catalog.down);
    assertThat(failovers.ledger().lostByReason()).containsEntry("nothing_stored", 1L);
  }

  @Test
  void whatIsNearCountsAndIsFoundByItsKeyAfterwards() throws IOException {
    InMemoryFailoverStore far = new InMemoryFailoverStore();
    Failovers other = Failovers.builder(far).time(time).build();
    NearFarFailoverStore both = new NearFarFailoverStore(store, far, Duration.ofSeconds(5), time);
    try (Failovers own = Failovers.builder(both).time(time).build()) {
      catalog.ask(own, byId, 1);
      catalog.ask(other, byId, 2);
      catalog.isDown = true;
      assertThat(filtered(own, "any").value()).hasSize(2);
      catalog.isDown = false;
      time.advance(Duration.ofSeconds(1));
      catalog.version = 2;
      catalog.ask(own, byId, 2);
      catalog.isDown = true;
      assertThat(catalog.ask(own, byId, 2)).containsExactly(catalog.item(2));
    }
  }

  @Test
  void itIsForgottenAndExpiredAsAWhole() throws IOException {
    filtered(failovers, "any");
    time.advance(Duration.ofSeconds(1));
    failovers.expire(byFilter, List.of("any"));
    catalog.isDown = true;
    assertThatThrownBy(() -> filtered(failovers, "any")).isSameAs(catalog.down);
    failovers.forget(byFilter, List.of("any"));
    assertThat(store.liveEntryCount("items")).isZero();
  }

  @Test
  void withoutASplitterItHasNoEffectAndThatIsAWarning() throws IOException {
    FailoverSpec<List<Item>> whole = Catalog.items("whole").recoverAll(true).build();
    try (CapturedLog log = new CapturedLog("failover")) {
      failovers.register(whole);
      failovers.register(byFilter);
      assertThat(log.messages(Level.WARNING))
          .singleElement()
          .asString()
          .contains("recoverAll", "payloadSplitter", "name=whole");
    }
    catalog.ask(failovers, whole, 1);
    catalog.isDown = true;
    assertThat(catalog.ask(failovers, whole, 1)).hasSize(1);
    assertThatThrownBy(() -> catalog.ask(failovers, whole, 2)).isSameAs(catalog.down);
  }
}
