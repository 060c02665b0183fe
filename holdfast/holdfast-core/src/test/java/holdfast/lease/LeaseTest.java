package holdfast.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.log.Outage;
import holdfast.time.StoppedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeaseTest {
  private static final LeaseTimes TIMES =
      new LeaseTimes(
          Duration.ofSeconds(15),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1),
          Duration.ofSeconds(60));

  private static final class Thing extends Lease {
    Thing() {
      super(0, 100);
    }
  }

  /** A hand whose table can lose leases and fail. */
  private static final class FakeHand implements LeaseRenewal.Hand<Thing> {
    final List<Thing> all = new ArrayList<>();
    final Set<Thing> gone = new HashSet<>();
    final List<Integer> renewed = new ArrayList<>();
    boolean broken;

    @Override
    public Collection<Thing> all() {
      return all;
    }

    @Override
    public Set<Thing> renew(List<Thing> leases) throws Exception {
      if (broken) {
        throw new Exception("told to fail");
      }
      renewed.add(leases.size());
      return gone;
    }

    @Override
    public void lost(Thing lease) {
      all.remove(lease);
    }
  }

  private final StoppedTime time = new StoppedTime();
  private final FakeHand hand = new FakeHand();
  private final LeaseRenewal<Thing> renewal =
      new LeaseRenewal<>(new Outage("test", time), TIMES, hand, time);
  private final List<Thing> givenBack = new ArrayList<>();

  @Test
  void isBegunOrLeftByOneOnly() {
    Thing begun = new Thing();
    assertThat(begun.begin()).isTrue();
    assertThat(begun.begin()).isFalse();
    assertThat(begun.leave()).isFalse();
    Thing left = new Thing();
    assertThat(left.hasWaitedSince(0)).isTrue();
    assertThat(left.hasWaitedSince(-1)).isFalse();
    assertThat(left.leave()).isTrue();
    assertThat(left.begin()).isFalse();
    assertThat(left.hasWaitedSince(0)).isFalse();
  }

  @Test
  void timesMustLeaveRoomForTwoRenewals() {
    assertThat(TIMES.startMargin()).isEqualTo(Duration.ofSeconds(6));
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new LeaseTimes(second.multipliedBy(3), second, second, second))
        .hasMessage(
            "LeaseTimes: length must be more than twice renewEvery plus drift, PT3S but was PT3S");
    assertThatThrownBy(() -> new LeaseTimes(second, Duration.ZERO, second.negated(), Duration.ZERO))
        .hasMessageContaining("renewEvery")
        .hasMessageContaining("drift")
        .hasMessageContaining("maxQueueWait");
  }

  @Test
  void areRenewedInTimeAndNotBefore() {
    Thing thing = new Thing();
    hand.all.add(thing);
    renewal.renewIfDue(givenBack::add);
    assertThat(hand.renewed).isEmpty();
    assertThat(renewal.untilNext()).isEqualTo(Duration.ofSeconds(5));
    time.advance(Duration.ofSeconds(5));
    renewal.renewIfDue(givenBack::add);
    assertThat(hand.renewed).containsExactly(1);
    assertThat(thing.left(time.nanoTime())).isEqualTo(Duration.ofSeconds(15).toNanos());
    assertThat(renewal.hasNothingInHand()).isFalse();
  }

  @Test
  void areRenewedInBatches() {
    for (int i = 0; i < 1_001; i++) {
      hand.all.add(new Thing());
    }
    time.advance(Duration.ofSeconds(5));
    renewal.renewIfDue(givenBack::add);
    assertThat(hand.renewed).containsExactly(500, 500, 1);
  }

  @Test
  void whatIsLostWhileItWaitsIsLetGoAndWhatRunsIsNot() {
    Thing waits = new Thing();
    Thing runs = new Thing();
    runs.begin();
    hand.all.addAll(List.of(waits, runs));
    hand.gone.addAll(hand.all);
    time.advance(Duration.ofSeconds(5));
    renewal.renewIfDue(givenBack::add);
    assertThat(hand.all).containsExactly(runs);
    assertThat(waits.begin()).as("nobody starts it any more").isFalse();
  }

  @Test
  void aFailedRenewalIsTriedAgainSoon() {
    hand.all.add(new Thing());
    hand.broken = true;
    time.advance(Duration.ofSeconds(5));
    renewal.renewIfDue(givenBack::add);
    assertThat(renewal.untilNext()).isEqualTo(Duration.ofSeconds(1));
    hand.broken = false;
    time.advance(Duration.ofSeconds(1));
    renewal.renewIfDue(givenBack::add);
    assertThat(hand.renewed).containsExactly(1);
  }

  /** A fixed pause would outlast a short lease: one failure would cost everything in hand. */
  @Test
  void aFailedRenewalIsTriedAgainSeveralTimesWithinAShortLease() {
    LeaseTimes brief =
        new LeaseTimes(
            Duration.ofMillis(1_500),
            Duration.ofMillis(500),
            Duration.ofMillis(100),
            Duration.ofMinutes(1));
    LeaseRenewal<Thing> renewals = new LeaseRenewal<>(new Outage("test", time), brief, hand, time);
    hand.all.add(new Thing());
    hand.broken = true;
    time.advance(Duration.ofMillis(500));
    renewals.renewIfDue(givenBack::add);
    assertThat(renewals.untilNext()).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void whatHasWaitedTooLongIsGivenBack() {
    Thing waits = new Thing();
    Thing runs = new Thing();
    runs.begin();
    hand.all.addAll(List.of(waits, runs));
    time.advance(Duration.ofSeconds(59));
    renewal.renewIfDue(givenBack::add);
    assertThat(givenBack).isEmpty();
    time.advance(Duration.ofSeconds(5));
    renewal.renewIfDue(givenBack::add);
    assertThat(givenBack).containsExactly(waits);
  }
}
