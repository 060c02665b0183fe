package failover.key;

import failover.FailoverSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What tells the answers of a point apart, where that is not all of its arguments.
 *
 * <p>Must give the same text for the same arguments, also after a restart and on other machines;
 * texts may be of any length. Safe for use by many threads.
 */
@FunctionalInterface
public interface KeyGenerator {

  /**
   * The text that stands for these arguments.
   *
   * @param spec the point
   * @param args the arguments, which may be null each
   */
  String key(FailoverSpec<?> spec, List<? extends @Nullable Object> args);
}
