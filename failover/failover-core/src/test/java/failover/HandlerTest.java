package failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import failover.FailoverOutcome.FailureReason;
import failover.Prices.Price;
import failover.recovery.AbstractFailoverHandler;
import failover.recovery.FailoverHandler;
import failover.store.IdStore;
import holdfast.testkit.log.CapturedLog;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Handlers of the application, around the library's own or in its place. */
class HandlerTest extends PricesFixture {
  private final IOException down = new IOException("down");

  /** Takes note of what was found, and gives what it is told to instead of nothing. */
  private static final class Substitute extends AbstractFailoverHandler {
    final List<String> seen = new ArrayList<>();
    private final Object value;

    Substitute(FailoverHandler next, Object value) {
      super(next);
      this.value = value;
    }

    @Override
    @SuppressWarnings("unchecked")
    protected <T> Recovery<T> recovered(
        FailoverCall<T> call, Throwable cause, Recovery<T> recovery) {
      seen.add(call.args() + " " + recovery.getClass().getSimpleName());
      return recovery instanceof Recovery.Missing
          ? new Recovery.Found<>((T) value, Instant.EPOCH)
          : recovery;
    }
  }

  @Test
  void aHandlerChangesWhatIsStoredAndTheRestGoesOnAsBefore() throws Throwable {
    try (Failovers failovers = builder().handler(WithoutPersonalPrices::new).build()) {
      ask(failovers, spec, "a");
      assertThat(ask(failovers, spec, "personal")).isEqualTo(new Price("personal", 100));
      prices.failure = down;
      assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 100));
      assertThat(catchThrowable(() -> ask(failovers, spec, "personal"))).isSameAs(down);
      assertLedger(failovers, 4, 3);
    }
  }

  @Test
  void aHandlerChangesWhatIsRecoveredFromMemoryAndFromElsewhere() throws Throwable {
    Price unknown = new Price("unknown", 0);
    List<Substitute> made = new ArrayList<>();
    for (FailoversBuilder builder : List.of(builder(), Failovers.builder(new IdStore()))) {
      try (Failovers failovers =
          builder
              .handler(
                  own -> {
                    made.add(new Substitute(own, unknown));
                    return made.get(made.size() - 1);
                  })
              .build()) {
        prices.failure = null;
        ask(failovers, spec, "a");
        prices.failure = down;
        assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 100));
        FailoverResult<Price> result =
            failovers.callForResult(spec, List.of("b"), () -> prices.of("b"));
        assertThat(result.value()).isEqualTo(unknown);
        assertThat(result.asOf()).isEqualTo(Instant.EPOCH);
        assertThat(result.cause()).containsSame(down);
      }
    }
    assertThat(made)
        .hasSize(2)
        .allSatisfy(it -> assertThat(it.seen).contains("[a] Found", "[b] Missing"));
  }

  @Test
  void handlersStandAroundThoseSetBefore() throws Throwable {
    List<Substitute> made = new ArrayList<>();
    try (Failovers failovers =
        builder()
            .handler(WithoutPersonalPrices::new)
            .handler(
                inner -> {
                  assertThat(inner).isInstanceOf(WithoutPersonalPrices.class);
                  made.add(new Substitute(inner, new Price("outer", 1)));
                  return made.get(0);
                })
            .build()) {
      ask(failovers, spec, "personal");
      prices.failure = down;
      assertThat(ask(failovers, spec, "personal")).isEqualTo(new Price("outer", 1));
    }
  }

  /** Keeps answers in a map of its own. */
  private static final class InMap implements FailoverHandler {
    final Map<List<?>, Object> kept = new ConcurrentHashMap<>();

    @Override
    public <T> boolean store(FailoverCall<T> call, T answer, Duration patience) {
      return kept.put(List.copyOf(call.args()), answer) == null;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> Recovery<T> recover(FailoverCall<T> call, Throwable cause, Instant now) {
      T found = (T) kept.get(List.copyOf(call.args()));
      return found == null
          ? new Recovery.Missing<>(FailureReason.NOTHING_STORED, null)
          : new Recovery.Found<>(found, now);
    }
  }

  @Test
  void aHandlerTakesThePlaceOfTheLibrarysOwn() throws Throwable {
    InMap map = new InMap();
    try (Failovers failovers = builder().handler(own -> map).build()) {
      ask(failovers, spec, "a");
      assertThat(map.kept).containsOnlyKeys(List.of("a"));
      assertThat(failovers.stored().entries("price", 10)).isEmpty();
      prices.failure = down;
      assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 100));
      assertThat(catchThrowable(() -> ask(failovers, spec, "b"))).isSameAs(down);
      assertThat(failovers.ledger().lostByReason()).containsEntry("nothing_stored", 1L);
    }
  }

  /** Throws, or returns null, wherever it is asked. */
  private record Broken(Error failure) implements FailoverHandler {

    @Override
    public FailoverHandler forPoint(FailoverSpec<?> spec) {
      throw failure;
    }

    @Override
    public <T> boolean store(FailoverCall<T> call, T answer, Duration patience) {
      throw failure;
    }

    @Override
    public <T> Recovery<T> recoverAtOnce(FailoverCall<T> call, Throwable cause, Instant now) {
      if (call.args().contains("later")) {
        return null;
      }
      throw failure;
    }

    @Override
    @SuppressWarnings("NullAway") // what it is for
    public <T> Recovery<T> recover(FailoverCall<T> call, Throwable cause, Instant now) {
      return null;
    }
  }

  @Test
  void whatAHandlerThrowsCostsNobodyAnAnswer() throws Throwable {
    Error failure = new StackOverflowError("of the handler");
    try (CapturedLog log = new CapturedLog("failover");
        Failovers failovers = builder().handler(own -> new Broken(failure)).build()) {
      assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 100));
      prices.failure = down;
      assertThat(catchThrowable(() -> ask(failovers, spec, "a"))).isSameAs(down);
      assertThat(catchThrowable(() -> ask(failovers, spec, "later"))).isSameAs(down);
      assertThat(failovers.counts().get("price").storeFailures()).isEqualTo(1);
      assertThat(failovers.ledger().lostByReason()).containsEntry("store_failed", 2L);
      assertThat(log.messages(Level.WARNING))
          .filteredOn(line -> line.contains("FailoverHandler"))
          .containsExactly(
              "failover FailoverHandler fails name=price cause=" + failure.getClass().getName());
    }
  }

  @Test
  void aFunctionThatMakesNoHandlerIsRefused() {
    FailoversBuilder builder = builder().handler(own -> null);
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must return a FailoverHandler but returned null");
  }
}
