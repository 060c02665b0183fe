package holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** All that is wrong with properties is said at once, by their keys. */
class PropertyChecksTest {
  private final PropertyChecks checks = new PropertyChecks("the shop", "shop");

  @Test
  void whereAllIsWellNothingIsThrown() {
    assertThat(checks.atLeast("a", 1, 1)).isTrue();
    assertThat(checks.positive("b", Duration.ofNanos(1))).isTrue();
    assertThat(checks.notNegative("c", Duration.ZERO)).isTrue();
    assertThat(checks.notNegative("d", null)).isTrue();
    assertThat(checks.positive("e", Duration.ofDays(36_500))).isTrue();
    assertThat(checks.name("f", 3, null)).isTrue();
    assertThat(checks.name("g", 3, "abc")).isTrue();
    checks.accepted("h", () -> {});
    checks.throwIfAny();
  }

  @Test
  void everythingThatIsWrongIsNamedWithWhatMustHold() {
    assertThat(checks.atLeast("a", 2, 1)).isFalse();
    assertThat(checks.positive("b", Duration.ZERO)).isFalse();
    assertThat(checks.notNegative("c", Duration.ofSeconds(-1))).isFalse();
    assertThat(checks.positive("d", Duration.ofDays(36_501))).isFalse();
    assertThat(checks.notNegative("e", Duration.ofSeconds(Long.MAX_VALUE))).isFalse();
    assertThat(checks.name("f", 3, "abcd")).isFalse();
    assertThat(checks.name("g", 3, " ")).isFalse();
    checks.accepted(
        "h",
        () -> {
          throw new IllegalArgumentException("no such table");
        });
    checks.add("and more");

    assertThatThrownBy(checks::throwIfAny)
        .isInstanceOfSatisfying(
            StartException.class,
            e -> {
              assertThat(e.description())
                  .isEqualTo(
                      "the properties of the shop are out of range: shop.a must be 2 or more but"
                          + " was 1; shop.b must be more than zero but was PT0S; shop.c must be"
                          + " zero or more but was PT-1S; shop.d must be a century or less but was"
                          + " PT876024H; shop.e must be a century or less but was "
                          + Duration.ofSeconds(Long.MAX_VALUE)
                          + "; shop.f must have 1 to 3 characters but was 'abcd'; shop.g must have"
                          + " 1 to 3 characters but was ' '; shop.h: no such table; and more");
              assertThat(e.action()).isEqualTo("correct the settings of the shop");
              assertThat(e).hasMessage(e.description() + "; " + e.action());
            });
  }
}
