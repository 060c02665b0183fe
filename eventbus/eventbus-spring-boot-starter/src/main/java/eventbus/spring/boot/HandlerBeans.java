package eventbus.spring.boot;

import eventbus.EventBus;
import holdfast.spring.boot.StartException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Registers the handlers among the application's beans, once all beans are there and before the
 * workers start. Confined to the thread that starts the application.
 */
final class HandlerBeans implements SmartInitializingSingleton {
  private final ConfigurableListableBeanFactory beans;
  private final EventBus bus;

  HandlerBeans(ConfigurableListableBeanFactory beans, EventBus bus) {
    this.beans = beans;
    this.bus = bus;
  }

  @Override
  public void afterSingletonsInstantiated() {
    HandlerScan scan = new HandlerScan(beans).run();
    List<String> mistakes = new ArrayList<>(scan.mistakes());
    List<HandlerScan.Found> all = new ArrayList<>(scan.found());
    all.sort(Comparator.comparingInt(HandlerScan.Found::order));
    Map<List<String>, String> places = new HashMap<>();
    for (HandlerScan.Found one : all) {
      String other = places.putIfAbsent(List.of(one.type(), one.id()), one.place());
      if (other == null) {
        register(one, mistakes);
      } else {
        mistakes.add(
            "%s and %s both handle '%s' under the id '%s'; give each an id of its own, @EventBusHandler(type = \"%s\", id = \"...\")"
                .formatted(other, one.place(), one.type(), one.id(), one.type()));
      }
    }
    if (!mistakes.isEmpty()) {
      throw new StartException(
          "not every @EventBusHandler method can handle events:\n- "
              + String.join("\n- ", mistakes),
          "correct these methods");
    }
  }

  private void register(HandlerScan.Found one, List<String> mistakes) {
    try {
      bus.router().register(one.type(), one.id(), one.handler());
    } catch (IllegalArgumentException e) {
      mistakes.add(one.place() + ": " + e.getMessage());
    }
  }
}
