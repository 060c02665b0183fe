package failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Prices.Price;
import failover.StoredAnswers.Entry;
import failover.store.AsyncFailoverStore;
import failover.store.FailoverStore;
import failover.store.FailoverStore.StoreListener;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import failover.store.WriteSkippingFailoverStore;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RemovalTest extends PricesFixture {
  private final InMemoryFailoverStore near = new InMemoryFailoverStore();
  private final AsyncFailoverStore far =
      new AsyncFailoverStore(new WriteSkippingFailoverStore(store), 100, StoreListener.NONE, time);
  private final Failovers failovers = node(near, far);

  private Failovers node(FailoverStore close, FailoverStore distant) {
    return Failovers.builder(new NearFarFailoverStore(close, distant)).time(time).build();
  }

  @AfterEach
  void close() {
    failovers.close();
  }

  private void settle() {
    Eventually.await("all is written", () -> far.waiting() == 0);
  }

  private void liveAgain() throws Throwable {
    prices.failure = null;
    time.advance(Duration.ofSeconds(1));
    ask(failovers, spec, "a");
    settle();
    prices.failure = new IOException("down");
  }

  @Test
  void anExpiredAnswerIsNotGivenButStaysUntilTheSweep() throws Throwable {
    liveAgain();
    time.advance(Duration.ofSeconds(1));
    failovers.expire(spec, List.of("a"));
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
    settle();
    assertThat(failovers.ledger().lostByReason()).containsEntry("expired", 1L);
    assertThat(store.entries("price", 100)).hasSize(1);
    liveAgain();
    assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 100));
    assertThat(node(new InMemoryFailoverStore(), store).call(spec, List.of("a"), this::down))
        .isEqualTo(new Price("a", 100));
  }

  private Price down() throws Exception {
    throw new IOException("down");
  }

  @Test
  void aCallThatBeganBeforeDoesNotBringTheExpiredAnswerBack() throws Throwable {
    failovers.call(
        spec,
        List.of("a"),
        () -> {
          time.advance(Duration.ofSeconds(1));
          failovers.expire(spec, List.of("a"));
          return prices.of("a");
        });
    prices.failure = new IOException("down");
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
  }

  @Test
  void whatIsForgottenIsGoneWithItsContent() throws Throwable {
    liveAgain();
    failovers.forget(spec, List.of("a"));
    settle();
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
    assertThat(failovers.ledger().lostByReason()).containsEntry("nothing_stored", 1L);
    assertThat(store.entries("price", 100)).isEmpty();
    assertThat(near.entries("price", 100)).isEmpty();
  }

  @Test
  void entriesAreListedWithoutContentAndRemovedByTheirIds() throws Throwable {
    liveAgain();
    ask(failovers, spec, "a");
    List<Entry> entries = failovers.stored().entries("price", 10);
    assertThat(entries).hasSize(1);
    Entry entry = entries.get(0);
    assertThat(entry.name()).isEqualTo("price");
    assertThat(entry.id()).hasSize(36);
    assertThat(entry.expireOn()).isEqualTo(entry.asOf().plus(Duration.ofHours(1)));
    time.advance(Duration.ofSeconds(1));
    assertThat(failovers.stored().expire("price", entry.id())).isTrue();
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
    settle();
    liveAgain();
    assertThat(ask(failovers, spec, "a")).isNotNull();
    assertThat(failovers.stored().forget("price", entry.id())).isTrue();
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
    settle();
    assertThat(failovers.stored().forget("price", entry.id())).isFalse();
    assertThat(failovers.stored().expire("price", "unknown")).isFalse();
    liveAgain();
    assertThat(failovers.stored().expireAll("price")).isEqualTo(1);
    assertThat(failovers.stored().forgetAll("price")).isEqualTo(1);
    assertThat(failovers.stored().entries("price", 10)).isEmpty();
  }

  @Test
  void whatOneNodeForgetsOrExpiresAnotherDropsWithItsNextSweep() throws Throwable {
    liveAgain();
    prices.failure = null;
    ask(failovers, spec, "b");
    ask(failovers, spec, "kept");
    settle();
    prices.failure = new IOException("down");
    Failovers other = node(new InMemoryFailoverStore(), store);
    time.advance(Duration.ofSeconds(1));
    other.forget(spec, List.of("a"));
    other.expire(spec, List.of("b"));
    assertThat(ask(failovers, spec, "a")).isNotNull(); // not yet
    failovers.start();
    Eventually.await("the sweep has been here", () -> near.entries("price", 100).size() == 1);
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
    assertThatThrownBy(() -> ask(failovers, spec, "b")).isSameAs(prices.failure);
    assertThat(ask(failovers, spec, "kept")).isNotNull();
    liveAgain();
    assertThat(other.call(spec, List.of("a"), this::down)).isEqualTo(new Price("a", 100));
  }

  @Test
  void anAnswerFromANodeWhoseClockIsAheadCanBeExpired() throws Throwable {
    liveAgain();
    time.setInstant(time.instant().minusMillis(500));
    failovers.expire(spec, List.of("a"));
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
  }
}
