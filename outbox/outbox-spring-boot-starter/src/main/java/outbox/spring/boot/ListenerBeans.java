package outbox.spring.boot;

import holdfast.spring.boot.StartException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import outbox.EventListener;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.ListenerRegistry;

/**
 * The listeners among the application's beans, found once all of them are there. A worker that has
 * an event earlier, because a bean published while it was made, waits until then. Safe for use by
 * many threads.
 */
final class ListenerBeans implements ListenerRegistry, SmartInitializingSingleton {
  private final ConfigurableListableBeanFactory beans;
  private final DefaultListenerRegistry registry = new DefaultListenerRegistry();
  private final CountDownLatch found = new CountDownLatch(1);
  private volatile List<String> types = List.of();

  ListenerBeans(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public void afterSingletonsInstantiated() {
    ListenerScan scan = new ListenerScan(beans).run();
    if (!scan.mistakes().isEmpty()) {
      throw new StartException(
          "not every @OutboxListener can be called:\n- " + String.join("\n- ", scan.mistakes()),
          "correct these listeners");
    }
    List<ListenerScan.Found> all = new ArrayList<>(scan.found());
    all.sort(Comparator.comparingInt(ListenerScan.Found::order));
    for (ListenerScan.Found one : all) {
      registry.register(one.type(), one.listener());
    }
    types = all.stream().map(ListenerScan.Found::type).distinct().sorted().toList();
    found.countDown();
  }

  /** The types somebody listens to. */
  List<String> types() {
    return types;
  }

  @Override
  public List<EventListener> listenersFor(String eventType) {
    try {
      found.await();
    } catch (InterruptedException e) {
      // The outbox closes before the application was complete: nobody listens, the event goes back.
      Thread.currentThread().interrupt();
      return List.of();
    }
    return registry.listenersFor(eventType);
  }
}
