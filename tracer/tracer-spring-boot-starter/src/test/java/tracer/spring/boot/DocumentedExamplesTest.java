package tracer.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tracer.sink.MemorySink;
import tracer.spring.Traced;

/** The example of the tracer's page. */
@Timeout(60)
class DocumentedExamplesTest {

  static class Till {
    // region traced
    @Traced("shop.checkout")
    public int checkOut(int cents) {
      return cents + 1;
    }
    // endregion
  }

  @Test
  void aTracedMethod() {
    MemorySink sink = new MemorySink();
    Contexts.withSink(sink)
        .withBean(Till.class)
        .run(context -> assertThat(context.getBean(Till.class).checkOut(1)).isEqualTo(2));

    assertThat(sink.events())
        .extracting(event -> event.phase() + " " + event.name())
        .containsExactly("BEGIN shop.checkout", "END shop.checkout");
  }
}
