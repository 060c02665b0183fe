package outbox.jdbc;

import holdfast.payload.PayloadEventHandler;
import holdfast.payload.Payloads;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.ListenerRegistry;

/**
 * The listeners that an outbox is built with, in the order they were added. They are registered
 * when it is built, since payload classes may be set after them. Confined to its builder.
 */
final class AddedListeners {
  private final List<BiConsumer<DefaultListenerRegistry, Payloads>> added = new ArrayList<>();
  private @Nullable ListenerRegistry replacement;

  void add(String eventType, EventListener listener) {
    new DefaultListenerRegistry().register(eventType, listener); // refuses at once what is wrong
    added.add((registry, payloads) -> registry.register(eventType, listener));
  }

  <P> void add(Class<P> payload, PayloadEventHandler<? super P, EventEnvelope> listener) {
    Objects.requireNonNull(payload, "listener needs a payload class but was given null");
    Objects.requireNonNull(listener, "listener needs a listener but was given null");
    added.add((registry, payloads) -> register(registry, payloads, payload, listener));
  }

  private static <P> void register(
      DefaultListenerRegistry registry,
      Payloads payloads,
      Class<P> payload,
      PayloadEventHandler<? super P, EventEnvelope> listener) {
    payloads.mapper(); // fails here rather than with the first event
    registry.register(
        payloads.typeOf(payload),
        event -> listener.handle(payloads.read(event.payloadJson(), payload), event));
  }

  void replaceBy(ListenerRegistry other) {
    this.replacement = Objects.requireNonNull(other, "listeners");
  }

  /**
   * The listeners, ready to be called.
   *
   * @throws IllegalArgumentException if a payload class has no event type
   * @throws IllegalStateException if payloads are taken and there is no mapper
   */
  ListenerRegistry registry(Payloads payloads) {
    if (replacement != null) {
      return replacement;
    }
    DefaultListenerRegistry registry = new DefaultListenerRegistry();
    added.forEach(one -> one.accept(registry, payloads));
    return registry;
  }
}
