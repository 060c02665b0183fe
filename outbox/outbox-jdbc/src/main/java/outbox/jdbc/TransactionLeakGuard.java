package outbox.jdbc;

import java.util.List;
import outbox.EventListener;
import outbox.registry.ListenerRegistry;

/**
 * Listeners that leave no transaction behind on the worker's thread, where the next event would
 * find it and publish into it. One that does has failed: what it wrote is not committed. Safe for
 * use by many threads.
 */
final class TransactionLeakGuard implements ListenerRegistry {
  private final ListenerRegistry listeners;
  private final ThreadLocalTxContext transactions;

  TransactionLeakGuard(ListenerRegistry listeners, ThreadLocalTxContext transactions) {
    this.listeners = listeners;
    this.transactions = transactions;
  }

  @Override
  public List<EventListener> listenersFor(String eventType) {
    return listeners.listenersFor(eventType).stream().map(this::tidy).toList();
  }

  private EventListener tidy(EventListener listener) {
    return event -> {
      try {
        listener.onEvent(event);
      } catch (Throwable e) {
        rollBackAfter(e);
        throw e;
      }
      if (transactions.rollBackForgotten()) {
        throw new IllegalStateException(
            "a listener must end the transaction it begins but one was left open and has been rolled"
                + " back; use try-with-resources and commit()");
      }
    };
  }

  private void rollBackAfter(Throwable failure) {
    try {
      transactions.rollBackForgotten();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }
}
