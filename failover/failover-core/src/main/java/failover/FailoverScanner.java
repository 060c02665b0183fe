package failover;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds the points of an application. Safe for use by many threads. */
public interface FailoverScanner {

  /** The point of that name. */
  Optional<FailoverSpec<?>> findFailoverByName(String name);

  /** All points, by name. */
  List<FailoverSpec<?>> findAllFailover();

  /** The types of all answers. */
  default Set<Type> findAllPayloadTypes() {
    return findAllFailover().stream().map(FailoverSpec::type).collect(Collectors.toSet());
  }
}
