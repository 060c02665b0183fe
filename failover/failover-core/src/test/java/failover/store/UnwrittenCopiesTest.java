package failover.store;

import static org.assertj.core.api.Assertions.assertThat;

import failover.key.StoreKey;
import failover.key.canonical.CanonicalKeys;
import failover.store.FailoverStore.DropReason;
import failover.store.FailoverStore.StoreChange;
import failover.store.FailoverStore.StoreChange.Moments;
import failover.store.FailoverStore.StoreListener;
import failover.store.ReferentialPayload.Payload;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is removed while it is being stored again does not come back. */
@Timeout(60)
class UnwrittenCopiesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final StoreKey key = CanonicalKeys.ofText("price", "1");
  private final SettableTime time = new SettableTime();
  private final FullStore far = new FullStore();
  private final SlowCopies near = new SlowCopies();
  private final NearFarFailoverStore store = new NearFarFailoverStore(near, far, INTERVAL, time);

  /**
   * A store that drops what comes while it is told to be full, and tells the changes it is told.
   */
  private static final class FullStore extends ForwardingFailoverStore {
    private volatile boolean isFull;
    private volatile StoreListener listener = StoreListener.NONE;
    private volatile List<StoreChange> changes = List.of();

    FullStore() {
      super(new InMemoryFailoverStore());
    }

    @Override
    public void store(ReferentialPayload answer) {
      if (isFull) {
        listener.dropped(answer.key(), DropReason.QUEUE_FULL);
      } else {
        target.store(answer);
      }
    }

    @Override
    public void delete(StoreKey key) {
      target.delete(key);
    }

    @Override
    public Optional<ReferentialPayload> find(StoreKey key) {
      return target.find(key);
    }

    @Override
    public Optional<List<StoreChange>> changes(Duration last, int limit) {
      return Optional.of(changes);
    }

    @Override
    public void listener(StoreListener newListener) {
      listener = newListener;
    }
  }

  /** A store that holds, when it is told to, who has found a copy and not yet gone on with it. */
  private static final class SlowCopies extends ForwardingFailoverStore {
    private final CountDownLatch found = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private volatile boolean isHolding;

    SlowCopies() {
      super(new InMemoryFailoverStore());
    }

    @Override
    public void store(ReferentialPayload answer) {
      target.store(answer);
    }

    @Override
    public void delete(StoreKey key) {
      target.delete(key);
    }

    @Override
    public Optional<ReferentialPayload> find(StoreKey key) {
      Optional<ReferentialPayload> copy = target.find(key);
      if (isHolding) {
        found.countDown();
        await(goOn);
      }
      return copy;
    }

    private static void await(CountDownLatch latch) {
      try {
        assertThat(latch.await(50, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @AfterEach
  void close() {
    near.goOn.countDown();
    store.close(Duration.ofSeconds(10));
  }

  private ReferentialPayload answer(Instant asOf) {
    return new ReferentialPayload(
        key, asOf, NOW.plusSeconds(9_000), Payload.ofBytes("a.Type", 1, new byte[] {1}));
  }

  /** An answer is near, and the far store has not taken it. */
  private void drop() throws InterruptedException {
    time.awaitSleepers(1); // the first check is over
    far.isFull = true;
    store.store(answer(NOW));
    far.isFull = false;
    assertThat(far.find(key)).isEmpty();
  }

  private void check() throws InterruptedException {
    time.awaitSleepers(1);
    time.advance(INTERVAL);
    time.awaitSleepers(1);
  }

  private void isGoneAfter(Consumer<FailoverStore> removal) throws InterruptedException {
    drop();
    near.isHolding = true;
    time.advance(INTERVAL);
    SlowCopies.await(near.found); // the copy was read, and is about to be stored
    Thread removing = new Thread(() -> removal.accept(store));
    removing.start();
    Eventually.await(
        "the removal has ended, or waits",
        () ->
            removing.getState() == Thread.State.TERMINATED
                || removing.getState() == Thread.State.WAITING);
    near.goOn.countDown();
    removing.join(50_000);
    assertThat(removing.isAlive()).isFalse();
    time.awaitSleepers(1); // the check is over
    assertThat(far.find(key).filter(it -> !it.isMadeToExpire())).isEmpty();
    near.isHolding = false;
    assertThat(store.find(key).filter(it -> !it.isMadeToExpire())).isEmpty();
    check();
    assertThat(far.find(key).filter(it -> !it.isMadeToExpire())).isEmpty();
  }

  @Test
  void closingStoresWhatTheQueueDidNotTake() throws InterruptedException {
    drop();
    assertThat(store.close(Duration.ofSeconds(10))).isZero();
    assertThat(far.find(key)).isPresent();
  }

  @Test
  void closingCountsWhatIsLeft() throws InterruptedException {
    drop();
    far.isFull = true;
    assertThat(store.close(Duration.ofSeconds(10))).isEqualTo(1);
  }

  @Test
  void anAnswerThatIsForgottenDoesNotComeBack() throws InterruptedException {
    isGoneAfter(it -> it.delete(key));
  }

  @Test
  void norDoesOneThatIsForgottenByItsId() throws InterruptedException {
    isGoneAfter(it -> it.delete(StoreKey.stored("price", key.id())));
  }

  @Test
  void norDoesOneThatIsForgottenByItsName() throws InterruptedException {
    isGoneAfter(it -> it.deleteAll("price"));
  }

  @Test
  void norDoesOneThatIsMadeToExpire() throws InterruptedException {
    isGoneAfter(it -> it.store(answer(NOW).expiredAt(NOW.plusSeconds(1))));
  }

  @Test
  void norDoesOneThatIsMadeToExpireByItsName() throws InterruptedException {
    isGoneAfter(it -> it.expireAll("price", NOW.plusSeconds(1)));
  }

  /** Lets so long pass until the next check, as when none succeeds meanwhile. */
  private void checkAfter(Duration pause) throws InterruptedException {
    drop();
    time.advance(pause);
    time.awaitSleepers(1);
  }

  @Test
  void whatTheFarStoreNeverGotStaysAlsoIfItCouldNotBeReachedForAlmostADay()
      throws InterruptedException {
    checkAfter(Duration.ofHours(23));
    assertThat(near.find(key)).isPresent();
    assertThat(far.find(key)).as("it is stored again").isPresent();
  }

  @Test
  void butNotIfItWasForgottenMeanwhileOrNobodyCanTell() throws InterruptedException {
    far.changes = List.of(new StoreChange("price", key.id(), null));
    checkAfter(Duration.ofHours(23));
    assertThat(near.find(key)).isEmpty();
    assertThat(far.find(key)).isEmpty();
    far.changes = List.of();
    checkAfter(Duration.ofHours(24));
    assertThat(near.find(key)).isEmpty();
    assertThat(far.find(key)).isEmpty();
  }

  @Test
  void norIfMoreWasRemovedThanIsRead() throws InterruptedException {
    far.changes =
        Collections.nCopies(NearCopies.MOST_CHANGES, new StoreChange("price", "another one", null));
    checkAfter(INTERVAL);
    assertThat(near.find(key)).isEmpty();
    assertThat(far.find(key)).isEmpty();
  }

  @Test
  void ofManyChangesTheRemovalsAreKnownIfSomethingElseWasRead() throws InterruptedException {
    far.changes =
        Stream.concat(
                Stream.of(new StoreChange("price", "another one", null)),
                Collections.nCopies(
                    NearCopies.MOST_CHANGES,
                    new StoreChange("price", "one more", new Moments(NOW, NOW)))
                    .stream())
            .toList();
    checkAfter(INTERVAL);
    assertThat(near.find(key)).isPresent();
    assertThat(far.find(key)).as("it is stored again").isPresent();
  }

  @Test
  void whatAnotherNodeForgetsWhileItIsOnItsWayIsRemovedOnceMore() throws InterruptedException {
    for (String id : new String[] {key.id(), null}) {
      drop();
      far.changes = List.of();
      check();
      assertThat(far.find(key)).as("it is stored again").isPresent();
      far.changes = List.of(new StoreChange("price", id, null));
      check();
      assertThat(far.find(key)).isEmpty();
      assertThat(near.find(key)).isEmpty();
    }
  }

  @Test
  void whatAnotherNodeStoresAfterwardsStays() throws InterruptedException {
    drop();
    check();
    far.store(answer(NOW.plusSeconds(1)));
    far.changes =
        List.of(
            new StoreChange("price", key.id(), null),
            new StoreChange(
                "price", key.id(), new Moments(NOW.plusSeconds(1), NOW.plusSeconds(9_000))));
    check();
    assertThat(far.find(key)).isPresent();
  }

  @Test
  void whatHasArrivedIsNotRemovedForSomethingThatWasRemovedBefore() throws InterruptedException {
    drop();
    check();
    far.changes =
        List.of(new StoreChange("price", key.id(), new Moments(NOW, NOW.plusSeconds(9_000))));
    check();
    far.changes = List.of(new StoreChange("price", key.id(), null));
    check();
    assertThat(far.find(key)).as("it is another node's now").isPresent();
  }
}
