package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;

import failover.FailoverCall;
import failover.FailoverSpec;
import failover.key.canonical.CanonicalKeys;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PointPauseTest {
  private static final IOException DOWN = new IOException("down");
  private static final Duration LONGEST_FIRST = Duration.ofMillis(1_500);

  private final SettableTime time = new SettableTime();
  private final FailoverSpec<String> spec = FailoverSpec.builder("price", String.class).build();
  private final PointPause pause = Objects.requireNonNull(PointPause.of(spec, time));

  private FailoverCall<String> call(String key) {
    return new FailoverCall<>(
        spec, List.of(key), CanonicalKeys.ofText("price", key), time.instant());
  }

  private Ticket enter(String key) {
    return pause.enter(call(key));
  }

  private void fail(String... keys) {
    for (String key : keys) {
      pause.failed(enter(key), call(key), DOWN);
    }
  }

  private void answer(String key, int times) {
    for (int i = 0; i < times; i++) {
      pause.answered(enter(key), call(key));
    }
  }

  private void pauseAll() {
    time.advance(Duration.ofSeconds(2)); // nothing is answered for a while
    fail("x", "y", "z", "x", "y", "z", "x", "y", "z", "x");
    assertThat(enter("b").isRefused()).isTrue();
  }

  @Test
  void anAnswerOfAKeyBreaksItsRow() {
    answer("b", 20);
    fail("a", "a", "a", "a");
    answer("a", 1);
    fail("a");
    assertThat(enter("a").isRefused()).isFalse();
    fail("a", "a", "a", "a");
    assertThat(enter("a").isRefused()).isTrue();
    assertThat(enter("b").kind()).isEqualTo(Ticket.Kind.NORMAL);
  }

  @Test
  void whereOneKeyPausesAloneAnotherTriesTheSourceForAll() {
    answer("b", 20);
    fail("a", "a", "a", "a", "a");
    for (int i = 0; i < 4; i++) { // now it pauses for 8 seconds at least
      time.advance(Duration.ofSeconds(30));
      Ticket probe = enter("a");
      assertThat(probe.isProbe()).isTrue();
      pause.failed(probe, call("a"), DOWN);
    }
    pauseAll();
    time.advance(LONGEST_FIRST);
    assertThat(enter("a").isRefused()).as("its own pause lasts").isTrue();
    assertThat(enter("b").isProbe()).isTrue();
    assertThat(enter("c").isRefused()).isTrue();
  }

  @Test
  void aKeyThatMayBeTriedTriesTheSourceForAll() {
    answer("b", 20);
    fail("a", "a", "a", "a", "a");
    pauseAll();
    time.advance(LONGEST_FIRST);
    Ticket probe = enter("a");
    assertThat(probe.isProbe()).isTrue();
    pause.answered(probe, call("a"));
    assertThat(enter("b").kind()).isEqualTo(Ticket.Kind.NORMAL);
    assertThat(enter("a").kind()).isEqualTo(Ticket.Kind.NORMAL);
  }

  @Test
  void afterATryThatSucceedsEarlierFailuresDoNotCount() {
    fail("a", "b", "c");
    time.advance(LONGEST_FIRST);
    pause.answered(enter("a"), call("a"));
    fail("b");
    assertThat(enter("d").kind()).isEqualTo(Ticket.Kind.NORMAL);
  }

  @Test
  void aTryThatFailsProlongsThePause() {
    fail("a", "b", "c");
    time.advance(LONGEST_FIRST);
    Ticket probe = enter("a");
    IOException again = new IOException("still down");
    pause.failed(probe, call("a"), again);
    assertThat(probe.pause().lastFailure()).isSameAs(again);
    assertThat(enter("a").isRefused()).isTrue();
  }

  @Test
  void aTryThatIsWithdrawnLeavesTheNextOneItsChance() {
    fail("a", "b", "c");
    time.advance(LONGEST_FIRST);
    pause.withdrawn(enter("a"));
    assertThat(enter("b").isProbe()).isTrue();
  }

  @Test
  void aCallOfThePauseThatIsAnsweredHasTheNextOneTry() {
    fail("a", "b", "c");
    Ticket direct = Objects.requireNonNull(enter("d").pause().enterDirectly());
    assertThat(enter("d").isRefused()).isTrue();
    pause.answered(direct, call("d"));
    assertThat(enter("d").isProbe()).isTrue();
  }

  @Test
  void aCallThatFoundNothingStoredAsksAsUsualIfThePauseIsOver() {
    pauseAll();
    Ticket refused = enter("b");
    for (int i = 0; i < Pause.DIRECT_CALLS; i++) {
      assertThat(refused.pause().enterDirectly()).isNotNull();
    }
    assertThat(refused.pause().enterDirectly()).isNull();
    time.advance(LONGEST_FIRST);
    Ticket probe = enter("b");
    assertThat(probe.isProbe()).isTrue();
    pause.answered(probe, call("b"));
    Ticket afterwards = Objects.requireNonNull(refused.pause().enterDirectly());
    assertThat(afterwards.kind()).isEqualTo(Ticket.Kind.NORMAL);
  }

  @Test
  void everyCallOfThePauseGivesItsPermitBack() {
    fail("a", "b", "c");
    Pause all = enter("d").pause();
    List<Ticket> direct = new ArrayList<>();
    for (int i = 0; i < Pause.DIRECT_CALLS; i++) {
      direct.add(Objects.requireNonNull(all.enterDirectly()));
    }
    assertThat(all.enterDirectly()).isNull();
    pause.answered(direct.get(0), call("d"));
    assertThat(all.enterDirectly()).isNotNull();
    pause.failed(direct.get(1), call("d"), DOWN);
    assertThat(all.enterDirectly()).isNotNull();
    pause.withdrawn(direct.get(2));
    assertThat(all.enterDirectly()).isNotNull();
    assertThat(all.enterDirectly()).isNull();
  }
}
