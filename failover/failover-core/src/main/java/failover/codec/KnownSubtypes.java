package failover.codec;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Version;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedMember;

/**
 * Has Jackson write every property, and which of the known subtypes a value is of, by a name of
 * ours that is looked up among the same ones when it is read. Immutable.
 */
final class KnownSubtypes extends AnnotationIntrospector {
  private static final long serialVersionUID = 1;

  private static final JsonInclude.Value ALWAYS =
      JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS);
  private static final JsonTypeInfo.Value BY_NAME =
      JsonTypeInfo.Value.construct(
          JsonTypeInfo.Id.NAME, JsonTypeInfo.As.PROPERTY, "@type", null, false, true);
  private static final JsonTypeInfo.Value NONE =
      JsonTypeInfo.Value.construct(
          JsonTypeInfo.Id.NONE, JsonTypeInfo.As.PROPERTY, null, null, false, false);

  private final transient Subtypes subtypes;

  KnownSubtypes(Subtypes subtypes) {
    this.subtypes = subtypes;
  }

  @Override
  public Version version() {
    return Version.unknownVersion();
  }

  /** What is left out could not be told from what an older version of the type did not have. */
  @Override
  public JsonInclude.Value findPropertyInclusion(MapperConfig<?> config, Annotated annotated) {
    return ALWAYS;
  }

  @Override
  public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(
      MapperConfig<?> config, Annotated annotated) {
    if (isOurs(annotated)) {
      return BY_NAME;
    }
    boolean isByHand =
        annotated instanceof AnnotatedMember
            && annotated.hasAnnotation(JsonSerialize.class)
            && !annotated.hasAnnotation(JsonTypeInfo.class);
    return isByHand ? NONE : null;
  }

  @Override
  public @Nullable Object findTypeResolverBuilder(MapperConfig<?> config, Annotated annotated) {
    return isOurs(annotated)
        ? new SubtypeNames.Builder(BY_NAME, subtypes.of(annotated.getRawType()))
        : null;
  }

  private boolean isOurs(Annotated annotated) {
    return annotated instanceof AnnotatedClass type
        && subtypes.areKnown(type.getRawType())
        && !type.hasAnnotation(JsonTypeInfo.class);
  }
}
