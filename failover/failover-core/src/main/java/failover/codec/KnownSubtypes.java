package failover.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Version;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.jsontype.NamedType;

/**
 * Has Jackson write which of the known subtypes a value is of, by a name of ours, and read it back
 * by looking among the same ones. Immutable.
 */
final class KnownSubtypes extends AnnotationIntrospector {
  private static final long serialVersionUID = 1;
  private static final String PROPERTY = "@type";

  private final transient Subtypes subtypes;

  KnownSubtypes(Subtypes subtypes) {
    this.subtypes = subtypes;
  }

  @Override
  public Version version() {
    return Version.unknownVersion();
  }

  @Override
  public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(
      MapperConfig<?> config, Annotated annotated) {
    return annotated instanceof AnnotatedClass type && isOurs(type)
        ? JsonTypeInfo.Value.construct(
            JsonTypeInfo.Id.NAME, JsonTypeInfo.As.PROPERTY, PROPERTY, null, false, true)
        : null;
  }

  @Override
  public @Nullable List<NamedType> findSubtypes(MapperConfig<?> config, Annotated annotated) {
    if (!(annotated instanceof AnnotatedClass type && isOurs(type))) {
      return null;
    }
    return subtypes.of(annotated.getRawType()).entrySet().stream()
        .map(entry -> new NamedType(entry.getValue(), entry.getKey()))
        .toList();
  }

  private boolean isOurs(AnnotatedClass type) {
    return subtypes.areKnown(type.getRawType()) && !type.hasAnnotation(JsonTypeInfo.class);
  }
}
