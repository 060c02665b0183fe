package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverSpec;
import failover.Failovers;
import failover.SourcePausedException;
import failover.SwitchedSource;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PauseTest {
  private final SettableTime time = new SettableTime();
  private final Failovers failovers =
      Failovers.builder(new InMemoryFailoverStore()).time(time).build();
  private final FailoverSpec<String> spec = FailoverSpec.builder("price", String.class).build();
  private final SwitchedSource source = new SwitchedSource();

  private String ask(String arg) throws IOException {
    return failovers.call(spec, List.of(arg), () -> source.answer(arg));
  }

  @Test
  void afterAFailureEverybodyIsServedWithoutTheSource() throws IOException {
    ask("a");
    source.isDown = true;
    for (int i = 0; i < 100; i++) {
      assertThat(ask("a")).isEqualTo("a");
    }
    assertThat(source.asked).hasValue(2);
    assertThat(failovers.counts().get("price").paused()).isEqualTo(99);
    assertThatThrownBy(() -> ask("unknown"))
        .isInstanceOf(SourcePausedException.class)
        .hasCause(source.down);
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
    Pause pause = new Pause(spec, true, time);
    long first = pause.enter();
    long second = pause.enter();
    pause.failed(first, source.down);
    pause.failed(second, new IOException("later"));
    assertThat(pause.enter()).isEqualTo(Pause.REFUSED);
    assertThat(pause.lastFailure()).isSameAs(source.down);
    time.advance(Duration.ofMillis(1_500)); // the longest first pause
    long probe = pause.enter();
    assertThat(probe).isNotEqualTo(Pause.REFUSED);
    pause.succeeded(second); // from before the outage: says nothing
    assertThat(pause.enter()).isEqualTo(Pause.REFUSED);
    pause.succeeded(probe);
    assertThat(pause.enter()).isNotEqualTo(Pause.REFUSED);
  }

  @Test
  void aProbeThatSaysNothingLeavesTheNextOneItsChance() {
    Pause pause = new Pause(spec, true, time);
    pause.failed(pause.enter(), source.down);
    time.advance(Duration.ofMillis(1_500));
    long probe = pause.enter();
    pause.withdrawn(probe);
    assertThat(pause.enter()).isNotEqualTo(Pause.REFUSED);
    time.advance(Duration.ofMillis(1_500)); // never heard of again
    assertThat(pause.enter()).isNotEqualTo(Pause.REFUSED);
  }

  @Test
  void probesThatAreNeverHeardOfAgainBecomeRarer() {
    Pause pause = new Pause(spec, true, time);
    pause.failed(pause.enter(), source.down);
    int probes = 0;
    for (int second = 0; second < 100; second++) {
      time.advance(Duration.ofSeconds(1));
      probes += pause.enter() == Pause.REFUSED ? 0 : 1;
    }
    assertThat(probes).isBetween(4, 16);
  }

  @Test
  void aProbeThatSucceedsCountsAlsoIfAnOlderOneHasFailedMeanwhile() {
    Pause pause = new Pause(spec, true, time);
    pause.failed(pause.enter(), source.down);
    time.advance(Duration.ofMillis(1_500));
    long older = pause.enter();
    time.advance(Duration.ofMillis(1_500)); // not heard of, and taken for a failure
    long newer = pause.enter();
    pause.failed(older, new IOException("late"));
    pause.succeeded(newer);
    assertThat(Pause.isProbe(pause.enter())).isFalse();
    assertThat(pause.lastFailure()).isNull();
  }

  @Test
  void aProbeThatTookLongAndSucceedsCountsWhileAnotherIsUnderWay() {
    Pause pause = new Pause(spec, true, time);
    pause.failed(pause.enter(), source.down);
    time.advance(Duration.ofMillis(1_500));
    long older = pause.enter();
    time.advance(Duration.ofMillis(1_500));
    long newer = pause.enter();
    pause.succeeded(older);
    pause.failed(newer, source.down);
    assertThat(pause.enter()).isNotEqualTo(Pause.REFUSED);
  }
}
