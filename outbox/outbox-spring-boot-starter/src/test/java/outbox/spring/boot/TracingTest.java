package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.threads.Inbox;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;

class TracingTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";

  static class Listener {
    private final Inbox inbox = new Inbox();

    @OutboxListener("Traced")
    void take(EventEnvelope event) {
      inbox.take(event.headers().getOrDefault("traceparent", "none"));
    }
  }

  /** An object of Micrometer's that answers what is listed, by the name of the method. */
  private static <T> T answering(Class<T> type, Map<String, ?> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            TracingTest.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> proxy == args[0];
                  case "toString" -> type.getSimpleName();
                  default -> answers.get(method.getName());
                }));
  }

  private static Tracer tracer(String traceId, @Nullable Boolean sampled) {
    Map<String, ?> ids =
        sampled == null
            ? Map.of("traceId", traceId, "spanId", SPAN)
            : Map.of("traceId", traceId, "spanId", SPAN, "sampled", sampled);
    Span span =
        answering(
            Span.class, Map.of("isNoop", false, "context", answering(TraceContext.class, ids)));
    return answering(Tracer.class, Map.of("currentSpan", span));
  }

  @Test
  void theTraceOfThePublicationReachesTheListener() {
    Contexts.runner()
        .withBean(Listener.class)
        .withBean(Tracer.class, () -> tracer(TRACE, true))
        .run(
            context -> {
              Contexts.publish(context, "Traced", "{}");

              assertThat(context.getBean(Listener.class).inbox.next())
                  .isEqualTo("00-" + TRACE + "-" + SPAN + "-01");
            });
  }

  @Test
  void withoutATracerThereIsNoHeader() {
    Contexts.runner()
        .withBean(Listener.class)
        .run(
            context -> {
              Contexts.publish(context, "Traced", "{}");

              assertThat(context.getBean(Listener.class).inbox.next()).isEqualTo("none");
            });
  }

  @Test
  void theFormIsThatOfTheStandard() {
    assertThat(new MicrometerTraceContext(tracer("a3ce929d0e0e4736", false)).traceparent())
        .isEqualTo("00-0000000000000000a3ce929d0e0e4736-" + SPAN + "-00");
    assertThat(new MicrometerTraceContext(tracer(TRACE, null)).traceparent()).endsWith("-00");
    assertThat(new MicrometerTraceContext(tracer("", true)).traceparent()).isNull();
    assertThat(new MicrometerTraceContext(Tracer.NOOP).traceparent()).isNull();
    assertThat(new MicrometerTraceContext(answering(Tracer.class, Map.of())).traceparent())
        .isNull();
  }
}
