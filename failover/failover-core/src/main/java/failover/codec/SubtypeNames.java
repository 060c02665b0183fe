package failover.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;
import tools.jackson.databind.jsontype.TypeIdResolver;
import tools.jackson.databind.jsontype.impl.StdTypeResolverBuilder;
import tools.jackson.databind.jsontype.impl.TypeIdResolverBase;

/** The names of the known subtypes of one type; knows no others. Immutable. */
final class SubtypeNames extends TypeIdResolverBase {
  private static final long serialVersionUID = 1;

  private final transient Map<String, Class<?>> byName;
  private final transient Map<Class<?>, String> names = new HashMap<>();

  private SubtypeNames(JavaType base, Map<String, Class<?>> byName) {
    super(base);
    this.byName = byName;
    byName.forEach((name, type) -> names.put(type, name));
  }

  @Override
  public String idFromValue(DatabindContext context, Object value) {
    return idFromValueAndType(
        context,
        value,
        value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass());
  }

  @Override
  public String idFromValueAndType(
      DatabindContext context, @Nullable Object value, Class<?> suggested) {
    String name = names.get(suggested);
    return name == null
        ? context.reportBadDefinition(
            _baseType,
            "%s is none of the known subtypes %s; permit or register it"
                .formatted(suggested.getName(), byName.keySet()))
        : name;
  }

  @Override
  public @Nullable JavaType typeFromId(DatabindContext context, String id) {
    Class<?> type = byName.get(id);
    return type == null ? null : context.constructType(type);
  }

  @Override
  public String getDescForKnownTypeIds() {
    return byName.keySet().toString();
  }

  @Override
  public JsonTypeInfo.Id getMechanism() {
    return JsonTypeInfo.Id.NAME;
  }

  /** Uses these names. */
  static final class Builder extends StdTypeResolverBuilder {
    private final Map<String, Class<?>> byName;

    Builder(JsonTypeInfo.Value settings, Map<String, Class<?>> byName) {
      super(settings);
      this.byName = byName;
    }

    /** What the known subtypes are does not depend on what stands for an abstract type. */
    @Override
    public StdTypeResolverBuilder withDefaultImpl(@Nullable Class<?> defaultImpl) {
      return this;
    }

    @Override
    protected TypeIdResolver idResolver(
        DatabindContext context,
        JavaType base,
        PolymorphicTypeValidator validator,
        Collection<NamedType> found,
        boolean forWriting,
        boolean forReading) {
      return new SubtypeNames(base, byName);
    }
  }
}
