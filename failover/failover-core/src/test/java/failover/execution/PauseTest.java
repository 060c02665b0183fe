package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;

import failover.FailoverSpec;
import failover.Failovers;
import failover.SwitchedSource;
import failover.store.InMemoryFailoverStore;
import holdfast.retry.Backoff;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PauseTest {
  private final SettableTime time = new SettableTime();
  private final Failovers failovers =
      Failovers.builder(new InMemoryFailoverStore()).time(time).build();

  /** One failure begins its pause. */
  private final FailoverSpec<String> spec =
      FailoverSpec.builder("price", String.class)
          .pauseAfter(0.01, 1, Duration.ofSeconds(10))
          .build();

  private final Pause pause =
      new Pause(Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(30)), time);
  private final SwitchedSource source = new SwitchedSource();

  private String ask(String arg) throws IOException {
    return failovers.call(spec, List.of(arg), () -> source.answer(arg));
  }

  @Test
  void inAPauseEverybodyIsServedWithoutTheSource() throws IOException {
    ask("a");
    source.isDown = true;
    for (int i = 0; i < 100; i++) {
      assertThat(ask("a")).isEqualTo("a");
    }
    assertThat(source.asked).hasValue(2);
    assertThat(failovers.counts().get("price").paused()).isEqualTo(99);
    assertThat(failovers.ledger().unaccounted()).isZero();
  }

  @Test
  void oneProbeAtATimeTriesTheSourceAndWaitsLongerEachTime() throws IOException {
    ask("a");
    source.isDown = true;
    ask("a");
    int probes = 0;
    for (int second = 0; second < 100; second++) {
      int before = source.asked.get();
      time.advance(Duration.ofSeconds(1));
      ask("a");
      ask("a");
      assertThat(source.asked.get() - before).isLessThanOrEqualTo(1);
      probes += source.asked.get() - before;
    }
    // Doubled from 1 s to 30 s, each time multiplied by a chance factor from 0.5 to 1.5.
    assertThat(probes).isBetween(4, 14);
    source.isDown = false;
    time.advance(Duration.ofSeconds(46));
    int before = source.asked.get();
    ask("a");
    ask("b");
    ask("c");
    assertThat(source.asked.get() - before).isEqualTo(3);
  }

  @Test
  void whileAProbeIsUnderWayOthersAreServed() throws IOException {
    ask("a");
    source.isDown = true;
    ask("a");
    time.advance(Duration.ofSeconds(2));
    source.isDown = false;
    String outer =
        failovers.call(
            spec,
            List.of("a"),
            () -> {
              assertThat(ask("a")).isEqualTo("a");
              assertThat(source.asked).hasValue(2); // the inner call did not reach the source
              return "probed";
            });
    assertThat(outer).isEqualTo("probed");
    ask("a");
    assertThat(source.asked).hasValue(3);
  }

  @Test
  void callsThatFailTogetherBeginOnePause() {
    Ticket before = pause.enter();
    pause.begin(source.down);
    pause.begin(new IOException("later"));
    assertThat(pause.enter().isRefused()).isTrue();
    assertThat(pause.isCurrent(before)).isFalse();
    assertThat(pause.lastFailure()).isSameAs(source.down);
    time.advance(Duration.ofMillis(1_500)); // the longest first pause
    Ticket probe = pause.enter();
    assertThat(probe.isProbe()).isTrue();
    assertThat(pause.enter().isRefused()).isTrue();
    assertThat(pause.succeeded(probe)).isTrue();
    assertThat(pause.enter().kind()).isEqualTo(Ticket.Kind.NORMAL);
    assertThat(pause.isCurrent(before)).as("a call from before the outage").isFalse();
    assertThat(pause.isCurrent(pause.enter())).isTrue();
  }

  @Test
  void aProbeThatSaysNothingLeavesTheNextOneItsChance() {
    pause.begin(source.down);
    time.advance(Duration.ofMillis(1_500));
    Ticket probe = pause.enter();
    pause.withdrawn(probe);
    assertThat(pause.enter().isProbe()).isTrue();
    time.advance(Duration.ofMillis(1_500)); // never heard of again
    assertThat(pause.enter().isProbe()).isTrue();
  }

  @Test
  void probesThatAreNeverHeardOfAgainBecomeRarer() {
    pause.begin(source.down);
    int probes = 0;
    for (int second = 0; second < 100; second++) {
      time.advance(Duration.ofSeconds(1));
      probes += pause.enter().isProbe() ? 1 : 0;
    }
    assertThat(probes).isBetween(4, 16);
  }

  @Test
  void aProbeThatSucceedsCountsAlsoIfAnOlderOneHasFailedMeanwhile() {
    pause.begin(source.down);
    time.advance(Duration.ofMillis(1_500));
    Ticket older = pause.enter();
    time.advance(Duration.ofMillis(1_500)); // not heard of, and taken for a failure
    Ticket newer = pause.enter();
    pause.failed(older, new IOException("late"));
    assertThat(pause.succeeded(newer)).isTrue();
    assertThat(pause.enter().kind()).isEqualTo(Ticket.Kind.NORMAL);
    assertThat(pause.lastFailure()).isNull();
  }

  @Test
  void aProbeThatTookLongAndSucceedsCountsWhileAnotherIsUnderWay() {
    pause.begin(source.down);
    time.advance(Duration.ofMillis(1_500));
    Ticket older = pause.enter();
    time.advance(Duration.ofMillis(1_500));
    Ticket newer = pause.enter();
    assertThat(pause.succeeded(older)).isTrue();
    pause.failed(newer, source.down);
    assertThat(pause.enter().isRefused()).isFalse();
  }

  @Test
  void aFewCallsAtOnceAreLetThroughAndThoseOfOnePauseAreNotThoseOfTheNext() {
    pause.begin(source.down);
    List<Ticket> direct = new ArrayList<>();
    for (int i = 0; i < Pause.DIRECT_CALLS; i++) {
      direct.add(pause.enterDirectly());
    }
    assertThat(direct).doesNotContainNull();
    assertThat(pause.enterDirectly()).isNull();
    direct.get(0).release();
    direct.get(0).release();
    assertThat(pause.enterDirectly()).isNotNull();
    assertThat(pause.enterDirectly()).as("a permit is given back once").isNull();
    pause.end();
    pause.begin(source.down);
    assertThat(pause.enterDirectly()).isNotNull();
  }

  /** A pause of exactly a second, then two, then four, long after the clock began. */
  private Pause exact() {
    time.advance(Duration.ofHours(1));
    return new Pause(
        Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(30)).withJitter(() -> 1.0),
        time);
  }

  @Test
  void aPauseLastsExactlyAsLongAsItSaysAndSoDoesTheWaitForAProbe() {
    Pause exact = exact();
    exact.begin(source.down);
    for (int i = 0; i < 2; i++) {
      time.advance(Duration.ofSeconds(1).minusNanos(1));
      assertThat(exact.enter().isRefused()).isTrue();
      time.advance(Duration.ofNanos(1));
      assertThat(exact.enter().isProbe()).isTrue(); // the first is never heard of again
    }
  }

  @Test
  void aProbeThatFailsProlongsThePauseAndOneFromBeforeDoesNotEndIt() {
    Pause exact = exact();
    exact.begin(source.down);
    time.advance(Duration.ofSeconds(1));
    Ticket older = exact.enter();
    time.advance(Duration.ofSeconds(1));
    Ticket newer = exact.enter();
    IOException again = new IOException("again");
    exact.failed(newer, again);
    assertThat(exact.lastFailure()).isSameAs(again);
    assertThat(exact.succeeded(older)).isFalse();
    time.advance(Duration.ofSeconds(4).minusNanos(1));
    assertThat(exact.enter().isRefused()).isTrue();
    time.advance(Duration.ofNanos(1));
    assertThat(exact.enter().isProbe()).isTrue();
  }

  @Test
  void anAnswerOfACallOfThePauseHasTheNextCallTryTheSource() {
    Pause exact = exact();
    assertThat(exact.end()).as("there is none").isFalse();
    exact.begin(source.down);
    assertThat(exact.enter().isRefused()).isTrue();
    exact.shorten();
    assertThat(exact.enter().isProbe()).isTrue();
    assertThat(exact.end()).isTrue();
  }
}
