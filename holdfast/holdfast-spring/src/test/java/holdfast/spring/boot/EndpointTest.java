package holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.log.CapturedLog;
import java.time.Duration;
import java.util.Map;
import java.util.logging.Level;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/** What endpoints are asked, and what they answer. */
class EndpointTest {

  private static void assertRefused(ThrowingCallable request, String why) {
    assertThatExceptionOfType(InvalidEndpointRequestException.class)
        .isThrownBy(request)
        .withMessage(why)
        .satisfies(refused -> assertThat(refused.getReason()).isEqualTo(why));
  }

  @Test
  void aLimitHasAnUsualNumberAndAnEnd() {
    assertThat(EndpointRequests.limit(null, 5, 10)).isEqualTo(5);
    assertThat(EndpointRequests.limit(1, 5, 10)).isEqualTo(1);
    assertThat(EndpointRequests.limit(10, 5, 10)).isEqualTo(10);
    assertRefused(() -> EndpointRequests.limit(0, 5, 10), "limit must be 1 to 10 but was 0");
    assertRefused(() -> EndpointRequests.limit(11, 5, 10), "limit must be 1 to 10 but was 11");
  }

  @Test
  void onlyKnownWordsAndAgesAreTaken() {
    EndpointRequests.oneOf("the part", "dead", "done", "dead");
    EndpointRequests.age("olderThan", Duration.ZERO);
    assertRefused(
        () -> EndpointRequests.oneOf("the part", "all", "done", "dead"),
        "the part must be done or dead but was 'all'");
    assertRefused(
        () -> EndpointRequests.age("olderThan", Duration.ofSeconds(-1)),
        "olderThan must be zero or more but was PT-1S");
    assertRefused(
        () -> EndpointRequests.age("olderThan", null),
        "olderThan must be given but was missing; for example olderThan=30d");
  }

  /** By default Spring Boot leaves the reason out of the answer. */
  @Test
  void theReasonIsInTheLog() {
    try (CapturedLog log = new CapturedLog("holdfast.spring")) {
      assertRefused(() -> EndpointRequests.limit(0, 5, 10), "limit must be 1 to 10 but was 0");
      assertThat(log.messages(Level.WARNING))
          .containsExactly("Actuator request refused: limit must be 1 to 10 but was 0");
    }
  }

  @Test
  void aLedgerIsAnsweredWithWhatWasRecoveredOnlyWhereAProcessKeepsIt() {
    LedgerSnapshot ledger =
        new LedgerSnapshot("shop", 9, 1, 6, Map.of("full", 1L), Map.of("queue", 2L), 0);

    assertThat(LedgerAnswer.ofProcess(ledger))
        .isEqualTo(new LedgerAnswer(9, 1L, 6, 2, Map.of("queue", 2L), 1, Map.of("full", 1L), 0, 1));
    assertThat(LedgerAnswer.ofTable(ledger).recoveredAtStartup()).isNull();
  }
}
