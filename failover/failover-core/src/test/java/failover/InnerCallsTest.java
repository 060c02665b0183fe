package failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverOutcome.Kind;
import failover.Failovers.PointCounts;
import failover.execution.MethodExceptionPolicy.ExceptionPolicy;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A source that calls other points may make its answer of stored ones. */
class InnerCallsTest {
  private static final Duration NEVER = Duration.ofMinutes(10);

  private final SettableTime time = new SettableTime();
  private final Failovers failovers =
      Failovers.builder(new InMemoryFailoverStore()).time(time).build();
  private final FailoverSpec<String> inner = spec("inner").build();
  private final FailoverSpec<String> other = spec("other").build();
  private final FailoverSpec<String> outer = spec("outer").build();
  private final SwitchedSource source = new SwitchedSource();
  private final SwitchedSource otherSource = new SwitchedSource();

  /** Live answers of both inner points, of which that of the other is the younger one. */
  private Instant first;

  private Instant second;

  private static FailoverSpecBuilder<String> spec(String name) {
    return FailoverSpec.builder(name, String.class).pause(Duration.ZERO, Duration.ZERO);
  }

  @BeforeEach
  void answersOfBoth() throws Exception {
    first = time.instant();
    askInner();
    time.advance(Duration.ofMinutes(1));
    second = time.instant();
    askOther();
    time.advance(Duration.ofMinutes(1));
  }

  @AfterEach
  void close() {
    failovers.close();
  }

  private String askInner() throws IOException {
    return failovers.call(inner, List.of("a"), () -> source.answer("a"));
  }

  private String askOther() throws IOException {
    return failovers.call(other, List.of("b"), () -> otherSource.answer("b"));
  }

  private <X extends Throwable> FailoverResult<String> askOuter(
      FailoverSpec<String> spec, Source<String, X> asked) throws X {
    return failovers.callForResult(spec, List.of("c"), asked);
  }

  private void assertStale(
      FailoverResult<String> given, String value, Instant asOf, Throwable why) {
    assertThat(given)
        .returns(value, FailoverResult::value)
        .returns(false, FailoverResult::upToDate)
        .returns(asOf, FailoverResult::asOf)
        .returns(why, FailoverResult::failure);
  }

  private void assertNotStored(String point, long recovered) {
    assertThat(failovers.counts().get(point))
        .as(point)
        .returns(recovered, PointCounts::recovered)
        .returns(0L, PointCounts::stored);
    assertThat(failovers.ledger().unaccounted()).isZero();
  }

  @Test
  void whatIsMadeOfAStoredAnswerIsNotLiveAndNotStored() throws Exception {
    source.isDown = true;
    assertStale(askOuter(outer, () -> askInner() + "!"), "a!", first, source.down);
    assertNotStored("outer", 1);
    assertThat(FailoverOutcome.last().orElseThrow())
        .returns("outer", FailoverOutcome::name)
        .returns(Kind.RECOVERED, FailoverOutcome::kind)
        .returns(first, FailoverOutcome::asOf);
  }

  @Test
  void whatIsMadeOfLiveAnswersIsLiveAlsoAfterOneThatWasNot() throws Exception {
    source.isDown = true;
    askInner();
    assertThat(askOuter(outer, this::askOther).upToDate()).isTrue();
    askOuter(spec("before").build(), this::askInner);
    assertThat(askOuter(outer, this::askOther).upToDate()).isTrue();
    source.isDown = false;
    assertThat(askOuter(outer, this::askInner).upToDate()).isTrue();
    assertThat(failovers.counts().get("outer").stored()).isEqualTo(3);
  }

  @Test
  void itIsAsOldAsTheOldestOfThem() throws Exception {
    source.isDown = true;
    otherSource.isDown = true;
    assertStale(askOuter(outer, () -> askOther() + askInner()), "ba", first, source.down);
    assertStale(askOuter(outer, () -> askInner() + askOther()), "ab", first, source.down);
    source.isDown = false;
    assertStale(askOuter(outer, () -> askInner() + askOther()), "ab", second, otherSource.down);
  }

  @Test
  void soItIsOfSourcesWithinSources() throws Exception {
    FailoverSpec<String> between = spec("between").build();
    source.isDown = true;
    otherSource.isDown = true;
    assertStale(
        askOuter(outer, () -> askOther() + askOuter(between, this::askInner).value()),
        "ba",
        first,
        source.down);
    assertNotStored("between", 1);
    assertNotStored("outer", 1);
  }

  @Test
  void aSourceThatFailsAllTheSameIsRecoveredAndOneThatIsNotRecoveredIsNobodysAnswer()
      throws Exception {
    askOuter(outer, () -> "outer");
    Instant stored = time.instant();
    time.advance(Duration.ofMinutes(1));
    source.isDown = true;
    IOException own = new IOException("own");
    Source<String, IOException> failing =
        () -> {
          askInner();
          throw own;
        };
    assertStale(askOuter(outer, failing), "outer", stored, own);
    FailoverSpec<String> empty = spec("empty").build();
    assertThatThrownBy(() -> askOuter(empty, failing)).isSameAs(own);
    FailoverResult<String> instead =
        askOuter(
            spec("around").build(),
            () -> {
              try {
                return askOuter(empty, failing).value();
              } catch (IOException e) {
                return "without it";
              }
            });
    assertThat(instead.upToDate()).isTrue();
  }

  @Test
  void anInnerFailureThatIsNotRecoveredSaysNothingOfTheAnswer() throws Exception {
    source.isDown = true;
    failovers.forget(inner, List.of("a"));
    FailoverResult<String> given =
        askOuter(
            outer,
            () -> {
              try {
                return askInner();
              } catch (IOException e) {
                return "a default";
              }
            });
    assertThat(given.upToDate()).isTrue();
    assertThat(failovers.counts().get("outer").stored()).isEqualTo(1);
  }

  @Test
  void whatAPolicyGivesInPlaceOfAnAnswerIsNotLiveEither() throws Exception {
    try (Failovers never =
        Failovers.builder(new InMemoryFailoverStore())
            .exceptionPolicy(ExceptionPolicy.NEVER_THROW)
            .build()) {
      source.isDown = true;
      FailoverResult<String> given =
          never.callForResult(
              outer,
              List.of("c"),
              () -> "" + never.call(inner, List.of("a"), () -> source.answer("a")));
      assertThat(given.value()).isEqualTo("null");
      assertThat(given.upToDate()).isFalse();
      assertThat(never.counts().get("outer").stored()).isZero();
    }
  }

  @Test
  void timeoutsOfBothPointsChangeNothing() throws Exception {
    FailoverSpec<String> timedInner = spec("timed-inner").hardTimeout(NEVER).build();
    FailoverSpec<String> timedOuter =
        spec("timed-outer").softTimeout(NEVER).hardTimeout(NEVER.multipliedBy(2)).build();
    Source<String, IOException> askTimed =
        () -> failovers.call(timedInner, List.of("a"), () -> source.answer("a"));
    askTimed.get();
    Instant asOf = time.instant();
    time.advance(Duration.ofMinutes(1));
    source.isDown = true;
    assertStale(askOuter(timedOuter, askTimed), "a", asOf, source.down);
    assertStale(askOuter(outer, askTimed), "a", asOf, source.down);
    assertStale(
        askOuter(outer, () -> askOuter(timedOuter, this::askInner).value()),
        "a",
        first,
        source.down);
    assertNotStored("timed-outer", 2);
    assertNotStored("outer", 2);
    source.isDown = false;
    assertThat(askOuter(timedOuter, askTimed).upToDate()).isTrue();
  }

  @Test
  void insideATransactionToo() throws Exception {
    try (Failovers here =
        Failovers.builder(new InMemoryFailoverStore()).insideTransaction(() -> true).build()) {
      FailoverSpec<String> timed = spec("timed").hardTimeout(NEVER).build();
      source.isDown = true;
      FailoverResult<String> given = here.callForResult(timed, List.of("c"), this::askInner);
      assertStale(given, "a", first, source.down);
    }
  }

  static final class Dated extends Referential {
    public String text = "";
  }

  @Test
  void answersThatCarryTheirAgeAreToldIt() throws Exception {
    source.isDown = true;
    FailoverSpec<Dated> dated =
        FailoverSpec.builder("dated", Dated.class).pause(Duration.ZERO, Duration.ZERO).build();
    Dated given =
        failovers.call(
            dated,
            List.of("c"),
            () -> {
              Dated made = new Dated();
              made.text = askInner();
              return made;
            });
    assertThat(given)
        .returns("a", it -> it.text)
        .returns(false, Referential::upToDate)
        .returns(first, Referential::asOf);
  }

  private CompletableFuture<String> later(
      FailoverSpec<String> spec, String arg, Source<CompletionStage<String>, ?> asked) {
    return failovers.callLater(spec, List.of(arg), asked);
  }

  @Test
  void stagesThatDependOnStoredAnswersAreNotStored() {
    CompletableFuture<String> down = CompletableFuture.failedFuture(source.down);
    later(outer, "c", () -> later(inner, "a", () -> down).thenApply(a -> a + "!")).join();
    assertNotStored("outer", 1);

    CompletableFuture<String> one = new CompletableFuture<>();
    CompletableFuture<String> two = new CompletableFuture<>();
    CompletableFuture<String> answer =
        later(
            outer,
            "c",
            () ->
                later(inner, "a", () -> one)
                    .thenCombine(later(other, "b", () -> two), (a, b) -> a + b));
    one.completeExceptionally(source.down);
    CompletableFuture.runAsync(() -> two.complete("live")).join();
    assertThat(answer.join()).isEqualTo("alive");
    assertNotStored("outer", 2);
  }

  @Test
  void norAreThoseWhoseCallsFollowOneAnother() {
    CompletableFuture<String> one = new CompletableFuture<>();
    CompletableFuture<String> down = CompletableFuture.failedFuture(source.down);
    CompletableFuture<String> answer =
        later(
            outer,
            "c",
            () -> later(inner, "a", () -> one).thenCompose(a -> later(other, "b", () -> down)));
    CompletableFuture.runAsync(() -> one.complete("live")).join();
    assertThat(answer.join()).isEqualTo("b");
    assertNotStored("outer", 1);
  }

  @Test
  void aSourceThatWaitsForAStageAndAStageThatFollowsAPlainCallAreAsOldAsTheirs() throws Exception {
    CompletableFuture<String> one = new CompletableFuture<>();
    FailoverResult<String> given =
        askOuter(
            outer,
            () -> {
              CompletableFuture<String> asked = later(inner, "a", () -> one);
              CompletableFuture.runAsync(() -> one.completeExceptionally(source.down)).join();
              return asked.join();
            });
    assertStale(given, "a", first, source.down);
    source.isDown = true;
    later(outer, "c", () -> CompletableFuture.completedFuture(askInner())).join();
    assertNotStored("outer", 2);
  }

  @Test
  void stagesOfLiveAnswersAreStored() {
    CompletableFuture<String> one = new CompletableFuture<>();
    CompletableFuture<String> answer = later(outer, "c", () -> later(inner, "a", () -> one));
    CompletableFuture.runAsync(() -> one.complete("live")).join();
    assertThat(answer.join()).isEqualTo("live");
    assertThat(failovers.counts().get("outer").stored()).isEqualTo(1);
  }

  @Test
  void aStageThatEndsWithinTheSourceOfAStrangerSaysNothingOfItsAnswer() throws Exception {
    CompletableFuture<String> one = new CompletableFuture<>();
    CompletableFuture<String> asked = later(inner, "a", () -> one);
    FailoverResult<String> given =
        askOuter(
            outer,
            () -> {
              one.completeExceptionally(source.down);
              return "its own";
            });
    assertThat(asked.join()).isEqualTo("a");
    assertThat(given.upToDate()).isTrue();
  }
}
