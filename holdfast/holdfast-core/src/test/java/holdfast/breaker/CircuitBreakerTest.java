package holdfast.breaker;

import static holdfast.breaker.CircuitBreaker.State.CLOSED;
import static holdfast.breaker.CircuitBreaker.State.HALF_OPEN;
import static holdfast.breaker.CircuitBreaker.State.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.Together;
import holdfast.breaker.CircuitBreaker.Permit;
import holdfast.time.StoppedTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
  private static final Duration REST = Duration.ofSeconds(30);
  private static final Duration ONE_NANO = Duration.ofNanos(1);

  private final StoppedTime time = new StoppedTime();
  private final CircuitBreaker breaker = new CircuitBreaker(3, REST, time);

  private void fail(int requests) {
    for (int i = 0; i < requests; i++) {
      breaker.tryAcquire().orElseThrow().failed();
    }
  }

  @Nested
  class WhenClosed {

    @Test
    void everyRequestGoesAhead() {
      for (int i = 0; i < 100; i++) {
        assertThat(breaker.tryAcquire()).isPresent();
      }
      assertThat(breaker.state()).isEqualTo(CLOSED);
      assertThat(breaker.rest()).isZero();
    }

    @Test
    void opensWithTheLastOfTooManyFailuresInARow() {
      fail(2);
      assertThat(breaker.state()).isEqualTo(CLOSED);
      fail(1);
      assertThat(breaker.state()).isEqualTo(OPEN);
      assertThat(breaker.tryAcquire()).isEmpty();
    }

    @Test
    void aSuccessBetweenFailuresStartsTheCountAnew() {
      fail(2);
      breaker.tryAcquire().orElseThrow().succeeded();
      fail(2);
      assertThat(breaker.state()).isEqualTo(CLOSED);
    }

    @Test
    void aPermitReleasedIsNeitherSuccessNorFailure() {
      fail(2);
      breaker.tryAcquire().orElseThrow().close();
      fail(1);
      assertThat(breaker.state()).isEqualTo(OPEN);
    }

    @Test
    void onlyTheFirstVerdictOfARequestCounts() {
      Permit permit = breaker.tryAcquire().orElseThrow();
      for (int i = 0; i < 10; i++) {
        permit.failed();
      }
      assertThat(breaker.state()).isEqualTo(CLOSED);
    }

    @Test
    void canBeTrippedAtOnce() {
      breaker.trip();
      assertThat(breaker.state()).isEqualTo(OPEN);
      assertThat(breaker.rest()).isEqualTo(REST);
    }
  }

  @Nested
  class WhenOpen {

    @Test
    void refusesUntilTheRestIsOver() {
      fail(3);
      time.advance(REST.minus(ONE_NANO));
      assertThat(breaker.tryAcquire()).isEmpty();
      assertThat(breaker.rest()).isEqualTo(ONE_NANO);
      time.advance(ONE_NANO);
      assertThat(breaker.rest()).isZero();
      assertThat(breaker.tryAcquire()).isPresent();
    }

    @Test
    void turnsHalfOpenWithoutAnyRequest() {
      fail(3);
      time.advance(REST);
      assertThat(breaker.state()).isEqualTo(HALF_OPEN);
    }

    @Test
    void slowRequestsFromBeforeChangeNothing() {
      Permit slowSuccess = breaker.tryAcquire().orElseThrow();
      List<Permit> slowFailures = permits(3);
      fail(3);
      time.advance(REST.dividedBy(2));
      slowSuccess.succeeded();
      slowFailures.forEach(Permit::failed);
      assertThat(breaker.state()).isEqualTo(OPEN);
      assertThat(breaker.rest()).isEqualTo(REST.dividedBy(2));
    }

    @Test
    void slowFailuresFromBeforeDoNotOpenItAgain() {
      List<Permit> slowFailures = permits(3);
      fail(3);
      time.advance(REST);
      breaker.tryAcquire().orElseThrow().succeeded();
      slowFailures.forEach(Permit::failed);
      assertThat(breaker.state()).isEqualTo(CLOSED);
    }

    private List<Permit> permits(int count) {
      return Stream.generate(() -> breaker.tryAcquire().orElseThrow()).limit(count).toList();
    }
  }

  @Nested
  class WhenHalfOpen {
    private Permit probe() {
      fail(3);
      time.advance(REST);
      return breaker.tryAcquire().orElseThrow();
    }

    @Test
    void oneProbeGoesAhead() {
      probe();
      assertThat(breaker.tryAcquire()).isEmpty();
    }

    @Test
    void itsSuccessClosesTheBreakerAndForgetsTheFailures() {
      probe().succeeded();
      assertThat(breaker.state()).isEqualTo(CLOSED);
      fail(2);
      assertThat(breaker.state()).isEqualTo(CLOSED);
    }

    @Test
    void itsFailureOpensTheBreakerForAnotherRest() {
      probe().failed();
      assertThat(breaker.rest()).isEqualTo(REST);
      time.advance(REST);
      assertThat(breaker.tryAcquire()).isPresent();
    }

    @Test
    void aProbeThatWasNeverSentLetsAnotherTry() {
      try (Permit unused = probe()) {
        assertThat(unused).isNotNull();
      }
      assertThat(breaker.tryAcquire()).isPresent();
    }

    @Test
    void closingAProbeAfterItsVerdictChangesNothing() {
      Permit probe = probe();
      probe.failed();
      probe.close();
      assertThat(breaker.state()).isEqualTo(OPEN);
    }

    @Test
    void theVerdictOfAProbeThatATripOvertookCountsNoMore() {
      Permit overtaken = probe();
      breaker.trip();
      overtaken.succeeded();
      assertThat(breaker.state()).isEqualTo(OPEN);
    }

    @Test
    void aRefusedRequestIsToldToWaitForTheProbe() {
      probe();
      time.advance(ONE_NANO);
      assertThat(breaker.state()).isEqualTo(HALF_OPEN);
      assertThat(breaker.rest()).isEqualTo(REST.minus(ONE_NANO));
    }

    @Test
    void aProbeThatIsNeverHeardOfAgainIsGivenUpAfterAnotherRest() {
      Permit silent = probe();
      time.advance(REST);
      assertThat(breaker.rest()).isZero();
      Permit next = breaker.tryAcquire().orElseThrow();
      assertThat(breaker.tryAcquire()).isEmpty();
      silent.succeeded();
      assertThat(breaker.state()).isEqualTo(HALF_OPEN);
      next.succeeded();
      assertThat(breaker.state()).isEqualTo(CLOSED);
    }

    @Test
    void aProbeReleasedAfterATripLeavesTheNextProbeAlone() {
      Permit old = probe();
      breaker.trip();
      time.advance(REST);
      assertThat(breaker.tryAcquire()).isPresent();
      old.close();
      assertThat(breaker.tryAcquire()).isEmpty();
    }

    @Test
    void ofManyThreadsExactlyOneIsTheProbe() throws Exception {
      for (int round = 0; round < 200; round++) {
        breaker.trip();
        time.advance(REST);
        AtomicInteger probes = new AtomicInteger();
        Together.run(8, thread -> breaker.tryAcquire().ifPresent(p -> probes.incrementAndGet()));
        assertThat(probes).hasValue(1);
      }
    }
  }

  @Test
  void refusesSettingsThatMakeNoSense() {
    assertThatThrownBy(() -> new CircuitBreaker(0, Duration.ZERO, time))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "CircuitBreaker: threshold must be 1 or more but was 0;"
                + " rest must be more than zero but was PT0S");
    assertThatThrownBy(() -> new CircuitBreaker(1, Duration.ofSeconds(Long.MAX_VALUE), time))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rest must be 292 years or less");
  }
}
