package failover.spring.boot;

import failover.expiry.ExpiryPolicy;
import failover.key.KeyGenerator;
import java.util.Arrays;
import java.util.function.Predicate;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * The beans that the settings of a point name. Immutable.
 *
 * @param beans all beans
 * @param point the name of the point
 */
record PointBeans(ListableBeanFactory beans, String point) {

  KeyGenerator keyGenerator(String name) {
    return named("key-generator", name, KeyGenerator.class);
  }

  ExpiryPolicy expiryPolicy(String name) {
    return named("expiry-policy", name, ExpiryPolicy.class);
  }

  /** Of what it is asked about is known only when it is. */
  @SuppressWarnings("unchecked")
  Predicate<Object> predicate(String name) {
    return (Predicate<Object>) named("keep-if", name, Predicate.class);
  }

  private <V> V named(String key, String name, Class<V> type) {
    String[] known = beans.getBeanNamesForType(type, true, false);
    if (!Arrays.asList(known).contains(name)) {
      throw new IllegalArgumentException(
          "failover.points.%s.%s must name one of the %s beans %s but was '%s'; correct the name, or define one of that name"
              .formatted(point, key, type.getSimpleName(), Arrays.toString(known), name));
    }
    return beans.getBean(name, type);
  }
}
