package eventbus;

import holdfast.payload.PayloadEventHandler;
import holdfast.payload.Payloads;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * Handlers that take payloads. They are registered when the bus is built, since payload classes may
 * be set after them. Confined to its builder.
 */
final class PayloadHandlers {
  private final List<BiConsumer<EventRouter, Payloads>> added = new ArrayList<>();

  <P> void add(Class<P> payload, String id, PayloadEventHandler<? super P, Event> handler) {
    Objects.requireNonNull(payload, "payload");
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(handler, "handler");
    added.add((router, payloads) -> register(router, payloads, payload, id, handler));
  }

  private static <P> void register(
      EventRouter router,
      Payloads payloads,
      Class<P> payload,
      String id,
      PayloadEventHandler<? super P, Event> handler) {
    payloads.mapper(); // fails here rather than with the first event
    router.register(
        payloads.typeOf(payload),
        id,
        event -> handler.handle(payloads.read(event.payload(), payload), event));
  }

  void clear() {
    added.clear();
  }

  /** Registers each once, however often a bus is built. */
  void registerIn(EventRouter router, Payloads payloads) {
    added.forEach(one -> one.accept(router, payloads));
    added.clear();
  }
}
