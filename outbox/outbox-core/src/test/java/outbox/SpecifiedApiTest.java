package outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import outbox.dispatch.DefaultInFlightTracker;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.InFlightTracker;
import outbox.dispatch.OutboxDispatcher;
import outbox.dispatch.QueuedEvent;
import outbox.dispatch.RetryPolicy;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventStore;
import outbox.spi.MetricsExporter;
import outbox.spi.TxContext;

/** Names and signatures that the specification fixes; those who implement them must not break. */
class SpecifiedApiTest {

  /** What must be implemented, as declarations without parameter names. */
  private static List<String> toImplement(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> Modifier.isAbstract(method.getModifiers()))
        .map(SpecifiedApiTest::declaration)
        .sorted()
        .toList();
  }

  private static String declaration(Method method) {
    return method.getGenericReturnType().getTypeName().replaceAll("\\w+\\.(?=\\w)", "")
        + " "
        + method.getName()
        + Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(", ", "(", ")"));
  }

  private static Constructor<?> constructor(Class<?> type, Class<?>... parameters)
      throws NoSuchMethodException {
    Constructor<?> found = type.getConstructor(parameters);
    assertThat(Modifier.isPublic(found.getModifiers())).isTrue();
    return found;
  }

  private static void method(Class<?> type, Class<?> returned, String name, Class<?>... parameters)
      throws NoSuchMethodException {
    Method found = type.getMethod(name, parameters);
    assertThat(found.getReturnType()).as(found.toString()).isEqualTo(returned);
  }

  @Test
  void aTransactionContextHasFourMethods() {
    assertThat(toImplement(TxContext.class))
        .containsExactly(
            "Connection currentConnection()",
            "boolean isTransactionActive()",
            "void afterCommit(Runnable)",
            "void afterRollback(Runnable)");
    assertThat(toImplement(ConnectionProvider.class)).containsExactly("Connection getConnection()");
  }

  @Test
  void aStoreHasFiveMethodsAndNoOthers() {
    assertThat(toImplement(EventStore.class))
        .containsExactly(
            "List<OutboxEvent> pollPending(Connection, Instant, Duration, int)",
            "int markDead(Connection, String, String)",
            "int markDone(Connection, String)",
            "int markRetry(Connection, String, Instant, String)",
            "void insertNew(Connection, EventEnvelope)");
    assertThat(EventStore.class.getMethods()).hasSize(5);
  }

  @Test
  void whatApplicationsImplementHasOneMethodEach() {
    assertThat(toImplement(EventType.class)).containsExactly("String name()");
    assertThat(toImplement(AggregateType.class)).containsExactly("String name()");
    assertThat(toImplement(EventListener.class)).containsExactly("void onEvent(EventEnvelope)");
    assertThat(EventListener.class.getMethods()[0].getExceptionTypes())
        .containsExactly(Exception.class);
    assertThat(toImplement(RetryPolicy.class)).containsExactly("long computeDelayMs(int)");
    assertThat(toImplement(ListenerRegistry.class))
        .containsExactly("List<EventListener> listenersFor(String)");
    assertThat(toImplement(InFlightTracker.class))
        .containsExactly("boolean tryAcquire(String)", "void release(String)");
  }

  @Test
  void metricsHaveEightMethodsToImplementAndOneThatCountsNothing() {
    assertThat(toImplement(MetricsExporter.class))
        .containsExactly(
            "void incrementColdEnqueued()",
            "void incrementDispatchDead()",
            "void incrementDispatchFailure()",
            "void incrementDispatchSuccess()",
            "void incrementHotDropped()",
            "void incrementHotEnqueued()",
            "void recordOldestLagMs(long)",
            "void recordQueueDepths(int, int)");
    assertThat(MetricsExporter.NOOP).isInstanceOf(MetricsExporter.class);
  }

  @Test
  void theClientIsMadeOfFourParts() throws Exception {
    assertThat(Modifier.isFinal(OutboxClient.class.getModifiers())).isTrue();
    constructor(
        OutboxClient.class,
        TxContext.class,
        EventStore.class,
        OutboxDispatcher.class,
        MetricsExporter.class);
    method(OutboxClient.class, String.class, "publish", EventEnvelope.class);
  }

  @Test
  void theDispatcherIsMadeOfTenPartsAndHasFourMethods() throws Exception {
    constructor(
        OutboxDispatcher.class,
        ConnectionProvider.class,
        EventStore.class,
        ListenerRegistry.class,
        InFlightTracker.class,
        RetryPolicy.class,
        int.class,
        int.class,
        int.class,
        int.class,
        MetricsExporter.class);
    method(OutboxDispatcher.class, boolean.class, "enqueueHot", QueuedEvent.class);
    method(OutboxDispatcher.class, boolean.class, "enqueueCold", QueuedEvent.class);
    method(OutboxDispatcher.class, boolean.class, "hasColdQueueCapacity");
    method(OutboxDispatcher.class, void.class, "close");
  }

  @Test
  void thePollerIsMadeOfSevenPartsAndHasThreeMethods() throws Exception {
    constructor(
        OutboxPoller.class,
        ConnectionProvider.class,
        EventStore.class,
        OutboxDispatcher.class,
        Duration.class,
        int.class,
        long.class,
        MetricsExporter.class);
    method(OutboxPoller.class, void.class, "start");
    method(OutboxPoller.class, void.class, "poll");
    method(OutboxPoller.class, void.class, "close");
  }

  @Test
  void theSmallPartsCanBeMadeAsSpecified() throws Exception {
    constructor(DefaultInFlightTracker.class);
    constructor(DefaultInFlightTracker.class, long.class);
    constructor(ExponentialBackoffRetryPolicy.class, long.class, long.class);
    constructor(DefaultListenerRegistry.class);
    constructor(OutboxConfig.class);
    EventEnvelope event = EventEnvelope.ofJson("A", "1");
    QueuedEvent queued = new QueuedEvent(event, QueuedEvent.Source.COLD, 3);
    assertThat(queued.envelope()).isSameAs(event);
    assertThat(queued.source()).isEqualTo(QueuedEvent.Source.COLD);
    assertThat(queued.attempts()).isEqualTo(3);
    assertThat(QueuedEvent.Source.values())
        .containsExactlyInAnyOrder(QueuedEvent.Source.HOT, QueuedEvent.Source.COLD);
    method(EventEnvelope.class, EventEnvelope.class, "ofJson", String.class, String.class);
    method(EventEnvelope.class, EventEnvelope.Builder.class, "builder", EventType.class);
    method(EventEnvelope.class, EventEnvelope.Builder.class, "builder", String.class);
    method(EventEnvelope.class, Instant.class, "occurredAt");
  }
}
