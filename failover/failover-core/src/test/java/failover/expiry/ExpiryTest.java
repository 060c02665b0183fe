package failover.expiry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failover;
import failover.FailoverSpec;
import failover.key.canonical.CanonicalKeys;
import failover.proxy.annotations.ExpiryExpressions;
import failover.proxy.annotations.Placeholders;
import failover.store.ReferentialPayload;
import failover.store.ReferentialPayload.Payload;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExpiryTest {
  private static final Instant LEAP = Instant.parse("2024-01-31T10:00:00Z");

  @Failover(name = "plain", expiryDuration = 2)
  void plain() {}

  @Failover(
      name = "set",
      expiryDurationExpression = "${keep}",
      expiryUnitExpression = "${unit:days}")
  void set() {}

  @Failover(name = "bad", expiryDurationExpression = "${unit:days}")
  void notANumber() {}

  @Failover(name = "bad", expiryUnitExpression = "fortnights")
  void notAUnit() {}

  @Failover(name = "bad", expiryDurationExpression = "${missing}")
  void unknown() {}

  @Failover(name = "bad", expiryDuration = 0)
  void zero() {}

  private static Expiry of(String method) {
    try {
      return new ExpiryExpressions(new Placeholders(Map.of("keep", " 6 ")::get)::fillIn)
          .expiryOf(ExpiryTest.class.getDeclaredMethod(method).getAnnotation(Failover.class));
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void expressionsWinOverPlainValues() {
    assertThat(of("plain")).isEqualTo(new Expiry(2, ChronoUnit.HOURS));
    assertThat(of("set")).isEqualTo(new Expiry(6, ChronoUnit.DAYS));
  }

  @Test
  void badExpressionsAreRefusedWithTheRemedy() {
    assertThatThrownBy(() -> of("notANumber")).hasMessageContaining("whole number");
    assertThatThrownBy(() -> of("notAUnit")).hasMessageContaining("such as HOURS");
    assertThatThrownBy(() -> of("unknown")).hasMessageContaining("${missing:otherwise}");
    assertThatThrownBy(() -> of("zero")).hasMessageContaining("1 or more but was 0");
    assertThatThrownBy(() -> Expiry.of(Duration.ZERO)).hasMessageContaining("1 or more");
    assertThatThrownBy(() -> new Expiry(Long.MAX_VALUE, ChronoUnit.YEARS))
        .hasMessageContaining("within the calendar");
    assertThatThrownBy(() -> Expiry.of(Duration.ofDays(200_000))).hasMessageContaining("292 years");
  }

  @Test
  void theyNameThePoint() {
    for (String method : List.of("notANumber", "notAUnit", "unknown", "zero")) {
      assertThatThrownBy(() -> of(method))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("failover 'bad'");
    }
    assertThatThrownBy(() -> FailoverSpec.builder("price", String.class).expiry(Duration.ZERO))
        .hasMessageContaining("failover 'price'")
        .hasMessageContaining("1 or more");
  }

  @Test
  void monthsAndYearsFollowTheCalendar() {
    assertThat(new Expiry(1, ChronoUnit.MONTHS).after(LEAP)).isEqualTo("2024-02-29T10:00:00Z");
    assertThat(new Expiry(1, ChronoUnit.YEARS).after(LEAP)).isEqualTo("2025-01-31T10:00:00Z");
  }

  @Test
  void itsLengthDependsOnTheMomentItBegins() {
    assertThat(new Expiry(1, ChronoUnit.MONTHS).lengthFrom(LEAP)).isEqualTo(Duration.ofDays(29));
    assertThat(new Expiry(6, ChronoUnit.HOURS).lengthFrom(LEAP)).isEqualTo(Duration.ofHours(6));
    assertThat(ExpiryPolicy.DEFAULT).hasToString("default");
  }

  @Test
  void theLastMomentIsStillGood() {
    FailoverSpec<String> spec =
        FailoverSpec.builder("price", String.class).expiry(Duration.ofHours(1)).build();
    Instant last = spec.expiryPolicy().computeExpiry(spec, LEAP);
    ReferentialPayload stored =
        new ReferentialPayload(
            CanonicalKeys.ofText("price", "1"), LEAP, last, Payload.tombstone("String", 1));
    assertThat(last).isEqualTo(LEAP.plus(1, ChronoUnit.HOURS));
    assertThat(spec.expiryPolicy().isExpired(spec, stored, last)).isFalse();
    assertThat(spec.expiryPolicy().isExpired(spec, stored, last.plusNanos(1))).isTrue();
  }

  @Test
  void itIsShownAsTheAnnotationHasIt() {
    Map<String, Duration> texts =
        Map.of(
            "6h", Duration.ofHours(6),
            "30d", Duration.ofDays(30),
            "90s", Duration.ofSeconds(90),
            "5m", Duration.ofMinutes(5),
            "1500ms", Duration.ofMillis(1_500),
            "1 nanos", Duration.ofNanos(1));
    texts.forEach(
        (text, length) -> {
          assertThat(Expiry.of(length)).hasToString(text);
          assertThat(Expiry.of(length).after(LEAP)).isEqualTo(LEAP.plus(length));
        });
    assertThat(new Expiry(2, ChronoUnit.MONTHS)).hasToString("2 months");
    assertThat(Expiry.of(Duration.ofHours(6))).isEqualTo(new Expiry(6, ChronoUnit.HOURS));
  }
}
