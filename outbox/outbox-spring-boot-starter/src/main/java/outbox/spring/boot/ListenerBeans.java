package outbox.spring.boot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import outbox.EventListener;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.ListenerRegistry;

/**
 * The listeners among the application's beans, found once all of them are there. A worker that has
 * an event earlier, because a bean published while it was made, waits until then. Safe for use by
 * many threads.
 */
final class ListenerBeans implements ListenerRegistry, SmartInitializingSingleton {
  private final ListableBeanFactory beans;
  private final DefaultListenerRegistry registry = new DefaultListenerRegistry();
  private final CountDownLatch found = new CountDownLatch(1);
  private volatile List<String> types = List.of();

  ListenerBeans(ListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public void afterSingletonsInstantiated() {
    ListenerScan scan = new ListenerScan(beans);
    List<ListenerScan.Found> all = new ArrayList<>();
    for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
      if (!ScopedProxyUtils.isScopedTarget(name)) {
        all.addAll(scan.listenersOf(name));
      }
    }
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
