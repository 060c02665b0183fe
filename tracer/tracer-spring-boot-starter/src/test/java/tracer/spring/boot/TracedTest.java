package tracer.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import tracer.sink.MemorySink;
import tracer.sink.MemorySink.Seen;
import tracer.spring.Traced;

/** Spans of methods. */
@Timeout(60)
class TracedTest {
  private final MemorySink sink = new MemorySink();

  /** Orders. */
  static class Orders {
    @Traced
    public int place(int cents) {
      return cents + 1;
    }

    @Traced("shop.refund")
    protected void refund() throws IOException {
      throw FAILURE;
    }

    public void notTraced() {}
  }

  private static final IOException FAILURE = new IOException("no money");

  /** All of its public methods. */
  @Traced
  static class Stock {
    public void reserve() {}

    @Traced("stock.freed")
    public void free() {}

    void count() {}
  }

  /** Annotated in the interface. */
  interface Mail {
    @Traced("mail.send")
    void send();
  }

  static class Smtp implements Mail {
    @Override
    public void send() {}
  }

  private List<Seen> run(Class<?> bean, Consumer<AssertableApplicationContext> work) {
    Contexts.withSink(sink)
        .withBean(bean)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              work.accept(context);
            });
    return sink.events();
  }

  private static List<String> shape(List<Seen> events) {
    return events.stream().map(event -> event.phase() + " " + event.name()).toList();
  }

  @Test
  void aCallIsASpanNamedAfterClassAndMethod() {
    List<Seen> seen =
        run(
            Orders.class,
            context -> {
              assertThat(context.getBean(Orders.class).place(41)).isEqualTo(42);
              context.getBean(Orders.class).notTraced();
            });

    assertThat(shape(seen)).containsExactly("BEGIN Orders.place", "END Orders.place");
  }

  @Test
  void anExceptionPassesUntouchedAndEndsTheSpan() {
    List<Seen> seen =
        run(
            Orders.class,
            context ->
                assertThatThrownBy(() -> context.getBean(Orders.class).refund())
                    .isSameAs(FAILURE)
                    .satisfies(e -> assertThat(e.getSuppressed()).isEmpty()));

    assertThat(shape(seen)).containsExactly("BEGIN shop.refund", "END shop.refund");
  }

  @Test
  void onATypeItConcernsItsPublicMethods() {
    List<Seen> seen =
        run(
            Stock.class,
            context -> {
              Stock stock = context.getBean(Stock.class);
              stock.reserve();
              stock.free();
              stock.count();
              assertThat(stock.hashCode()).isEqualTo(stock.hashCode());
            });

    assertThat(shape(seen))
        .containsExactly(
            "BEGIN Stock.reserve", "END Stock.reserve", "BEGIN stock.freed", "END stock.freed");
  }

  @Test
  void anAnnotationInAnInterfaceCounts() {
    List<Seen> seen = run(Smtp.class, context -> context.getBean(Mail.class).send());

    assertThat(shape(seen)).containsExactly("BEGIN mail.send", "END mail.send");
  }

  @Test
  void switchedOffTheMethodIsCalledAllTheSame() {
    Contexts.withSink(sink)
        .withPropertyValues("tracer.enabled=false")
        .withBean(Orders.class)
        .run(context -> assertThat(context.getBean(Orders.class).place(1)).isEqualTo(2));

    assertThat(sink.events()).isEmpty();
  }
}
