package failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Prices.Price;
import failover.execution.RecoverableFailures;
import feign.FeignException;
import jakarta.ws.rs.WebApplicationException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import retrofit2.HttpException;

/** What the source says is gone does not come back, and what is worth nothing replaces nothing. */
class GoneTest extends PricesFixture {
  private final Failovers failovers = builder().build();

  /** The source says so after it has answered once; then it is down. */
  private void assertGone(Failovers asked, FailoverSpec<Price> at, Throwable gone)
      throws Throwable {
    prices.failure = null;
    ask(asked, at, "a");
    time.advance(Duration.ofSeconds(1));
    prices.failure = gone;
    assertThatThrownBy(() -> ask(asked, at, "a")).isSameAs(gone);
    prices.failure = new IOException("down");
    assertThatThrownBy(() -> ask(asked, at, "a")).isSameAs(prices.failure);
  }

  private void assertKept(Failovers asked, FailoverSpec<Price> at, Throwable failure)
      throws Throwable {
    prices.failure = null;
    ask(asked, at, "a");
    time.advance(Duration.ofSeconds(1));
    prices.failure = failure;
    try {
      ask(asked, at, "a");
    } catch (Exception e) {
      assertThat(e).isSameAs(failure);
    }
    prices.failure = new IOException("down");
    assertThat(ask(asked, at, "a")).isEqualTo(new Price("a", 100));
  }

  @Test
  void notFoundAndGoneOfKnownClientsRemoveTheStoredAnswer() throws Throwable {
    for (Throwable gone :
        List.of(
            new FeignException(404),
            new FeignException(410),
            new HttpClientErrorException(404),
            new HttpClientErrorException(410),
            new WebClientResponseException(404),
            new WebClientResponseException(410),
            new WebApplicationException(404),
            new WebApplicationException(410),
            new HttpException(404),
            new HttpException(410))) {
      assertGone(failovers, spec, gone);
    }
  }

  @Test
  void otherMistakesOfCallersDoNot() throws Throwable {
    assertKept(failovers, spec, new FeignException(400));
    assertKept(failovers, spec, new FeignException(503));
    assertKept(failovers, spec, new WebClientResponseException(401));
    assertKept(failovers, spec, new WebApplicationException(503));
    assertKept(failovers, spec, new HttpException(409));
    assertKept(failovers, spec, new IllegalArgumentException("no such sku"));
  }

  @Test
  void norDoesNotFoundWhereItIsRecoveredOrNullsDoNotRemove() throws Throwable {
    Failovers any = builder().recoverable(RecoverableFailures.any()).build();
    assertKept(any, spec("any").build(), new FeignException(404));
    assertKept(failovers, spec("no-nulls").tombstones(false).build(), new FeignException(404));
  }

  @Test
  void aPointSaysWhichFailuresRemove() throws Throwable {
    FailoverSpec<Price> removing =
        spec("removing").removesOn(List.of(NoSuchElementException.class)).build();
    assertGone(failovers, removing, new NoSuchElementException("no such sku"));
    assertKept(failovers, spec, new NoSuchElementException("no such sku"));
  }

  @Test
  void whatIsGoneStaysGoneAlsoForACallThatBeganBefore() throws Throwable {
    prices.failure = new FeignException(404);
    Price late =
        failovers.call(
            spec,
            List.of("a"),
            () -> {
              time.advance(Duration.ofSeconds(1));
              assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
              return new Price("a", 1);
            });
    assertThat(late).isNotNull();
    prices.failure = new IOException("down");
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
  }

  @Test
  void anAnswerThatIsNotToBeKeptLeavesTheLastGoodOne() throws Throwable {
    FailoverSpec<Price> choosy = spec("choosy").keepIf(price -> price.cents() > 0).build();
    ask(failovers, choosy, "a");
    prices.cents = 0;
    assertThat(ask(failovers, choosy, "a")).isEqualTo(new Price("a", 0));
    prices.failure = new IOException("down");
    assertThat(ask(failovers, choosy, "a")).isEqualTo(new Price("a", 100));
  }
}
