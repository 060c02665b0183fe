package holdfast.verification.firsthour.mistakes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import eventbus.Event;
import eventbus.EventBus;
import eventlog.AsyncEventLogger;
import eventlog.EventLogEntry;
import eventlog.HttpEventLogClient;
import eventlog.otlp.OtlpEventLogClient;
import eventlog.spi.EventLogClient;
import failover.FailoverSpec;
import failover.Failovers;
import failover.store.FailoverStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcOutbox;
import tracer.TraceEvent;
import tracer.Tracer;
import tracer.sink.TraceSink;

/**
 * Null given to any setting of any builder is refused, by the setting's name, before anything is
 * built.
 */
class NullArgumentsTest {

  /** One argument of one method of a builder that is null. */
  record Case(Supplier<?> builder, Method method, int index) {
    @Override
    public String toString() {
      return method.getDeclaringClass().getSimpleName()
          + "."
          + method.getName()
          + Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList()
          + " argument "
          + index;
    }
  }

  static Stream<Case> cases() {
    DataSource dataSource = sample(DataSource.class);
    return Stream.<Supplier<?>>of(
            () -> JdbcOutbox.builder(dataSource),
            () -> EventEnvelope.builder("T"),
            () -> EventBus.builder(dataSource),
            () -> Event.builder("T"),
            () -> AsyncEventLogger.builder().client(sample(EventLogClient.class)),
            () -> HttpEventLogClient.builder(URI.create("https://example.org")),
            () -> OtlpEventLogClient.builder(URI.create("https://example.org")),
            EventLogEntry::builder,
            () -> Tracer.builder(sample(TraceSink.class)),
            () -> Failovers.builder(sample(FailoverStore.class)),
            () -> FailoverSpec.builder("x", String.class))
        .flatMap(NullArgumentsTest::casesOf);
  }

  private static Stream<Case> casesOf(Supplier<?> builder) {
    return Arrays.stream(builder.get().getClass().getMethods())
        .filter(method -> method.getDeclaringClass() != Object.class)
        .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isBridge())
        .flatMap(
            method ->
                IntStream.range(0, method.getParameterCount())
                    .filter(index -> isRequired(method, index))
                    .mapToObj(index -> new Case(builder, method, index)));
  }

  private static boolean isRequired(Method method, int index) {
    return !method.getParameterTypes()[index].isPrimitive()
        && !method.getAnnotatedParameterTypes()[index].isAnnotationPresent(Nullable.class);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isRefusedByName(Case given) throws Exception {
    Class<?>[] types = given.method().getParameterTypes();
    Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] = i == given.index() ? null : sample(types[i]);
    }
    Object builder = given.builder().get();
    Throwable thrown =
        catchThrowable(
            () -> {
              given.method().invoke(builder, arguments);
              builder.getClass().getMethod("build").invoke(builder); // some ask only here
            });
    assertThat(thrown).as("%s", given).isInstanceOf(InvocationTargetException.class);
    Throwable cause = thrown.getCause();
    if (cause instanceof IllegalArgumentException) { // named with all other mistakes
      assertThat(cause).as("%s", given).hasMessageContaining("null");
    } else {
      assertThat(cause.getStackTrace()[0].getMethodName())
          .as("%s is refused on purpose: %s", given, cause)
          .isEqualTo("requireNonNull");
      assertThat(cause).as("%s", given).hasMessageMatching("(?s).+");
    }
  }

  @SuppressWarnings("unchecked")
  private static <T> T sample(Class<T> type) {
    Map<Class<?>, Object> samples =
        Map.of(
            String.class,
            "x",
            int.class,
            1,
            long.class,
            1L,
            double.class,
            1.0,
            boolean.class,
            true,
            Duration.class,
            Duration.ofSeconds(1),
            Class.class,
            String.class,
            java.nio.file.Path.class,
            java.nio.file.Path.of("x"),
            java.time.Instant.class,
            java.time.Instant.EPOCH,
            URI.class,
            URI.create("https://example.org"));
    Object known = samples.get(type);
    if (known != null) {
      return (T) known;
    }
    if (type == TraceEvent.class) {
      return (T) TraceEvent.named("x");
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type.isInterface()) {
      return (T)
          Proxy.newProxyInstance(
              type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> null);
    }
    throw new IllegalStateException("no sample of " + type + "; add one");
  }
}
