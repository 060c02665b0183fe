package outbox.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.Held;

/** How any {@link LeaseStore} must hold back ordered events behind the head of their aggregate. */
public abstract class OrderedEventContract extends LeasingContract {

  /** Runs that store through the contract. */
  protected OrderedEventContract(LeaseStoreUnderTest subject) {
    super(subject);
  }

  private static EventEnvelope ordered(String aggregate, String id) {
    return EventEnvelope.builder("T")
        .eventId(id)
        .aggregateType("A")
        .aggregateId(aggregate)
        .ordered()
        .payloadJson("1")
        .build();
  }

  private boolean isHead(String id) throws Exception {
    return holds(conn -> store().isHead(conn, id));
  }

  @Test
  void onlyTheHeadOfEachAggregateIsLent() throws Exception {
    // Ids run against the order: the number decides.
    insert(null, ordered("x", "9"), ordered("x", "5"), ordered("x", "1"), ordered("y", "7"));
    assertThat(claimed(claim(store(), 10).claims())).containsExactlyInAnyOrder("9", "7");
    assertThat(isHead("9")).isTrue();
    assertThat(isHead("5")).isFalse();
    assertThat(claim(store(), 10).claims()).isEmpty();
    on(conn -> store().done(conn, List.of(new Held("9", 1))));
    assertThat(isHead("5")).isTrue();
    assertThat(isHead("1")).isFalse();
    assertThat(claimed(claim(store(), 10).claims())).containsExactly("5");
  }

  @Test
  void aLongLineBehindOneHeadDoesNotFillTheWindow() throws Exception {
    for (int i = 0; i < 30; i++) {
      insert(null, ordered("stuck", "stuck-%02d".formatted(i)));
    }
    insert(null, ordered("other", "other-1"), event("unordered"));
    assertThat(claimed(claim(store(), 3).claims()))
        .containsExactlyInAnyOrder("stuck-00", "other-1", "unordered");
  }

  @Test
  void aFailedHeadHoldsBackItsOwnAggregateOnly() throws Exception {
    insert(null, ordered("x", "x1"), ordered("x", "x2"), ordered("y", "y1"), ordered("y", "y2"));
    claim(store(), 10);
    on(conn -> store().retry(conn, new Held("x1", 1), Duration.ofMinutes(1), "e", true));
    on(conn -> store().done(conn, List.of(new Held("y1", 1))));
    assertThat(claimed(claim(store(), 10).claims())).containsExactly("y2");
    assertThat(isHead("x2")).isFalse();
    assertThat(claimed(claim(storeAfter(Duration.ofMinutes(2)), 10).claims())).contains("x1");
  }

  @Test
  void aDelayedHeadIsWaitedFor() throws Exception {
    insert(
        null,
        EventEnvelope.builder("T")
            .eventId("x1")
            .aggregateType("A")
            .aggregateId("x")
            .ordered()
            .deliverAfter(Duration.ofMinutes(1))
            .payloadJson("1")
            .build(),
        ordered("x", "x2"));
    assertThat(claim(store(), 10).claims()).isEmpty();
    assertThat(claimed(claim(storeAfter(LATER), 10).claims())).containsExactly("x1");
  }

  @Test
  void aDeadHeadBlocksOrIsSkippedAsSet() throws Exception {
    insert(null, ordered("x", "x1"), ordered("x", "x2"));
    on(conn -> store().dead(conn, held("x1"), "e"));
    assertThat(claim(store(), 10).claims()).isEmpty();
    assertThat(isHead("x2")).isFalse();
    assertThat(holds(conn -> storeSkippingDead().isHead(conn, "x2"))).isTrue();
    assertThat(claimed(claim(storeSkippingDead(), 10).claims())).containsExactly("x2");
  }

  @Test
  void unorderedEventsOfTheSameAggregateWaitForNobody() throws Exception {
    insert(
        null,
        ordered("x", "x1"),
        EventEnvelope.builder("T")
            .eventId("free")
            .aggregateType("A")
            .aggregateId("x")
            .payloadJson("1")
            .build());
    assertThat(isHead("free")).isTrue();
    assertThat(claimed(claim(store(), 10).claims())).containsExactlyInAnyOrder("x1", "free");
  }

  @Test
  void numbersFollowOneAnotherOverTransactions() throws Exception {
    insert(HERE, ordered("x", "b"));
    insert(HERE, ordered("x", "a"));
    assertThat(isHead("b")).isTrue();
    assertThat(isHead("a")).isFalse();
    on(conn -> store().done(conn, List.of(new Held("b", 0))));
    assertThat(isHead("a")).isTrue();
  }
}
