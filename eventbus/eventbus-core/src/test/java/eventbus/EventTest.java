package eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an event may be made of. */
class EventTest {

  @Test
  void allMistakesAreNamedAtOnce() {
    EventBuilder builder =
        Event.builder(" ".repeat(129)).priority(10).delay(Duration.ofSeconds(-1)).payload("a\0b");
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type must have 1 to 128 characters")
        .hasMessageContaining("priority must be 0 to 9 but was 10")
        .hasMessageContaining("delay must be zero or more")
        .hasMessageContaining("payload must have neither U+0000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\uD800", "\uDC00", "\uDC00\uD800", "x\uD83D", "\0"})
  void textsThatNotEveryDatabaseKeepsAreRefused(String text) {
    assertThatThrownBy(() -> Event.of("A", text)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Event.of(text, "")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theLastWordOnWhenItIsDueCounts() {
    Instant then = Instant.parse("2030-01-01T00:00:00Z");
    Event at = Event.builder("A").delay(Duration.ofHours(1)).availableAt(then).build();
    assertThat(at.delay()).isZero();
    assertThat(at.availableAt()).isEqualTo(then);
    Event after = Event.builder("A").availableAt(then).delay(Duration.ofHours(1)).build();
    assertThat(after.availableAt()).isNull();
    assertThatThrownBy(() -> Event.builder("A").availableAt(Instant.MAX).build())
        .hasMessageContaining("availableAt must be from 1970 to 9998");
    assertThatThrownBy(() -> Event.builder("A").delay(Duration.ofDays(40_000)).build())
        .hasMessageContaining("delay must be 100 years or less");
  }

  @Test
  void itHasNoIdUntilItComesFromTheBus() {
    Event event = Event.of("A", "x");
    assertThat(event.isClaimed()).isFalse();
    assertThat(event).hasToString("Event[A]");
    assertThatThrownBy(event::id)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("publish returns the id");
  }
}
