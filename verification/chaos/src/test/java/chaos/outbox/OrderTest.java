package chaos.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order is shown deliveries in and out of it. */
class OrderTest {
  private static Delivery delivery(int version, int second, boolean ok) {
    Instant start = Instant.ofEpochSecond(second);
    return new Delivery("e" + version, "a", start, start.plusMillis(10), ok, 1, version);
  }

  private static Order order(Delivery... deliveries) {
    return new Order(List.of(List.of(deliveries)));
  }

  @Test
  void oneAfterTheOtherIsInOrderWhateverIsRepeated() {
    Order order =
        order(
            delivery(1, 1, false),
            delivery(1, 2, true),
            delivery(2, 3, true),
            delivery(1, 4, true),
            delivery(3, 5, false));
    assertThat(order.early()).isEmpty();
    assertThat(order.delivered(1)).isEqualTo(2);
    assertThat(order.tried(1)).isEqualTo(3);
  }

  @Test
  void oneThatWasTriedBeforeTheOneBeforeItSucceededIsEarly() {
    assertThat(order(delivery(1, 1, false), delivery(2, 2, false), delivery(1, 3, true)).early())
        .singleElement()
        .asString()
        .startsWith("aggregate 1: version 2 began at 1970-01-01T00:00:02Z, version 1 succeeded");
  }

  @Test
  void oneThatWasTriedThoughTheOneBeforeItNeverCameIsEarly() {
    assertThat(order(delivery(1, 1, true), delivery(3, 2, true)).early()).hasSize(1);
  }
}
