package failover.codec;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.AbstractTypeResolver;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JavaType;

/** Reads sets as such that keep the order in which their elements were written. Stateless. */
final class SetsInOrder extends AbstractTypeResolver {

  @Override
  public @Nullable JavaType findTypeMapping(DeserializationConfig config, JavaType type) {
    return type.hasRawClass(Set.class)
        ? config.getTypeFactory().constructSpecializedType(type, LinkedHashSet.class)
        : null;
  }
}
