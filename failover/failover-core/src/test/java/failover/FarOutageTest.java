package failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Prices.Price;
import failover.StoredAnswers.Entry;
import failover.store.AsyncFailoverStore;
import failover.store.FailoverStore;
import failover.store.FailoverStore.StoreListener;
import failover.store.FailoverStoreException;
import failover.store.IdStore;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A near store before a table that takes no writes for a while, or has others write to it. */
@Timeout(60)
class FarOutageTest extends PricesFixture {
  private final IdStore table = new IdStore();
  private final AsyncFailoverStore far =
      new AsyncFailoverStore(table, 100, StoreListener.NONE, time);
  private final Failovers failovers = node(far);
  private final Failovers other = node(table);

  private Failovers node(FailoverStore distant) {
    return Failovers.builder(new NearFarFailoverStore(new InMemoryFailoverStore(), distant))
        .time(time)
        .build();
  }

  @AfterEach
  void close() {
    table.writesFail = false;
    failovers.close();
  }

  private void answered(int cents) throws Throwable {
    prices.failure = null;
    prices.cents = cents;
    time.advance(Duration.ofSeconds(1));
    assertThat(ask(failovers, spec, "a").cents()).isEqualTo(cents);
    prices.failure = new IOException("down");
  }

  private void settle() {
    Eventually.await(
        "all is written",
        () -> {
          time.advance(Duration.ofMillis(10)); // what failed is tried again in the end
          return far.waiting() == 0;
        });
  }

  private String onlyId() {
    List<Entry> entries = failovers.stored().entries("price", 10);
    assertThat(entries).hasSize(1);
    return entries.get(0).id();
  }

  @Test
  void whatIsForgottenByItsIdIsNotGivenWhileTheTableTakesNoWrites() throws Throwable {
    answered(1);
    settle();
    table.writesFail = true;
    assertThat(failovers.stored().forget("price", onlyId())).isTrue();
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
    assertThat(failovers.stored().entries("price", 10)).isEmpty();
    table.writesFail = false;
    settle();
    assertThat(table.entries("price", 100)).isEmpty();
  }

  @Test
  void forgettingAllFailsWhileTheTableTakesNoWrites() throws Throwable {
    answered(1);
    settle();
    table.writesFail = true;
    assertThatThrownBy(() -> failovers.stored().forgetAll("price"))
        .isInstanceOf(FailoverStoreException.class);
    table.writesFail = false;
    assertThat(failovers.stored().forgetAll("price")).isEqualTo(1);
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
    answered(2);
    settle();
    assertThat(ask(failovers, spec, "a").cents()).isEqualTo(2);
    assertThat(other.call(spec, List.of("a"), this::down).cents()).isEqualTo(2);
  }

  private Price down() throws IOException {
    throw new IOException("down");
  }

  @Test
  void aCallThatBeganBeforeDoesNotBringBackWhatIsExpiredByItsId() throws Throwable {
    answered(1);
    settle();
    prices.failure = null;
    failovers.call(
        spec,
        List.of("a"),
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(failovers.stored().expire("price", onlyId())).isTrue();
          return prices.of("a");
        });
    prices.failure = new IOException("down");
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
    settle();
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
  }

  @Test
  void norDoesOneOfANodeThatHasNothingNear() throws Throwable {
    answered(1);
    settle();
    Failovers fresh = node(far);
    fresh.call(
        spec,
        List.of("a"),
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(fresh.stored().expireAll("price")).isEqualTo(1);
          return new Price("a", 2);
        });
    assertThatThrownBy(() -> ask(fresh, spec, "a")).isSameAs(prices.failure);
    settle();
    assertThatThrownBy(() -> ask(fresh, spec, "a")).isSameAs(prices.failure);
  }

  @Test
  void aNearAnswerThatHasExpiredDoesNotHideANewerOneOfTheTable() throws Throwable {
    answered(1);
    settle();
    time.advance(Duration.ofMinutes(30));
    other.call(spec, List.of("a"), () -> new Price("a", 2));
    time.advance(Duration.ofMinutes(40));
    assertThat(ask(failovers, spec, "a").cents()).isEqualTo(2);
    time.advance(Duration.ofHours(2));
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
    assertThat(failovers.ledger().lostByReason()).containsEntry("expired", 1L);
  }

  @Test
  void norDoesALiveNullThatWasKeptNear() throws Throwable {
    failovers.call(spec, List.of("a"), () -> null);
    settle();
    other.call(spec, List.of("a"), () -> new Price("a", 2));
    prices.failure = new IOException("down");
    assertThat(ask(failovers, spec, "a").cents()).isEqualTo(2);
  }
}
