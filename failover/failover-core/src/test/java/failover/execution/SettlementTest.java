package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverSpec;
import failover.Failovers;
import failover.Source;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.time.SettableTime;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the end of a call that tries a paused source says of it. */
class SettlementTest {
  private static final IOException DOWN = new IOException("down");

  private final SettableTime time = new SettableTime();
  private final Failovers failovers =
      Failovers.builder(new InMemoryFailoverStore())
          .time(time)
          .recoverable(
              failure -> {
                if (failure instanceof FileNotFoundException) {
                  throw new IllegalStateException("a predicate that fails");
                }
                return RecoverableFailures.byDefault().test(failure);
              })
          .build();
  private final FailoverSpec<String> spec =
      FailoverSpec.builder("price", String.class)
          .pauseAfter(0.01, 1, Duration.ofSeconds(10))
          .removesOn(List.of(NoSuchElementException.class))
          .build();

  private String ask(Source<String, ? extends Exception> source) throws Exception {
    return ask("a", source);
  }

  private String ask(String key, Source<String, ? extends Exception> source) throws Exception {
    return failovers.call(spec, List.of(key), source);
  }

  private boolean isAsked() throws Exception {
    return "asked".equals(ask(() -> "asked"));
  }

  /** Has an answer stored, the source fail, and the pause pass. */
  @BeforeEach
  void pause() throws Exception {
    ask(() -> "stored");
    ask("b", () -> "stored");
    assertThat(
            ask(
                () -> {
                  throw DOWN;
                }))
        .isEqualTo("stored");
    assertThat(isAsked()).isFalse();
    time.advance(Duration.ofMillis(1_500));
  }

  /** Tries the source, which ends so. */
  private void tried(Exception end) {
    assertThatThrownBy(
            () ->
                ask(
                    () -> {
                      throw end;
                    }))
        .isNotNull();
  }

  @Test
  void oneThatIsGivenUpSaysNothingAndTheNextOneTries() throws Exception {
    for (Exception end : List.of(new InterruptedException(), new CancellationException())) {
      tried(end);
    }
    assertThat(isAsked()).isTrue();
  }

  @Test
  void whileOneIsTriedThatWasGivenUpAnotherOneIsNot() throws Exception {
    tried(new CancellationException());
    String outer =
        ask(
            () -> {
              assertThat(isAsked()).as("there is a try").isFalse();
              return "tried";
            });
    assertThat(outer).isEqualTo("tried");
  }

  @Test
  void soDoesAnErrorAndAPredicateThatFails() throws Exception {
    assertThatThrownBy(
            () ->
                ask(
                    () -> {
                      throw new AssertionError("of the source");
                    }))
        .isInstanceOf(AssertionError.class);
    tried(new FileNotFoundException("found by the predicate"));
    assertThat(isAsked()).isTrue();
  }

  @Test
  void aMistakeOfTheCallerShowsThatTheSourceIsThere() throws Exception {
    tried(new IllegalArgumentException("no such price"));
    assertThat(isAskedWithin()).as("there is no pause any more").isTrue();
  }

  @Test
  void soDoesWhatIsGoneAndItIsNotRecovered() throws Exception {
    tried(new NoSuchElementException("gone"));
    assertThat(failovers.ledger().lostByReason()).containsEntry("not_recoverable", 1L);
    assertThat(isAskedWithin()).as("there is no pause any more").isTrue();
  }

  /** Whether a call is made while another one is under way, as it is where there is no pause. */
  private boolean isAskedWithin() throws Exception {
    boolean[] asked = new boolean[1];
    ask(
        () -> {
          asked[0] = "asked".equals(ask("b", () -> "asked"));
          return "outer";
        });
    return asked[0];
  }
}
