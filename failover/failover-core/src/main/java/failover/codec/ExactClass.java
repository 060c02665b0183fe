package failover.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;
import tools.jackson.core.type.WritableTypeId;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.jsontype.TypeDeserializer;
import tools.jackson.databind.jsontype.TypeIdResolver;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.jsontype.impl.StdTypeResolverBuilder;

/**
 * Refuses to write a value of a subclass where nothing would say so: it would come back as the
 * declared class. Adds nothing to what is written. Immutable.
 */
final class ExactClass extends TypeSerializer {
  private final JavaType declared;

  private ExactClass(JavaType declared) {
    this.declared = declared;
  }

  @Override
  public WritableTypeId writeTypePrefix(
      JsonGenerator out, SerializationContext context, WritableTypeId value) {
    Class<?> actual = value.forValue.getClass();
    if (actual != declared.getRawClass()) {
      context.reportBadDefinition(
          declared,
          "a value declared as %s must be of that class but is of %s; make the class sealed, or"
                  .formatted(declared.getRawClass().getName(), actual.getName())
              + " register its subclasses with JacksonPayloadCodec.withSubtypes");
    }
    if (value.valueShape == JsonToken.START_OBJECT) {
      out.writeStartObject(value.forValue);
    } else if (value.valueShape == JsonToken.START_ARRAY) {
      out.writeStartArray(value.forValue);
    }
    return value;
  }

  @Override
  public WritableTypeId writeTypeSuffix(
      JsonGenerator out, SerializationContext context, WritableTypeId value) {
    if (value.valueShape == JsonToken.START_OBJECT) {
      out.writeEndObject();
    } else if (value.valueShape == JsonToken.START_ARRAY) {
      out.writeEndArray();
    }
    return value;
  }

  @Override
  public TypeSerializer forProperty(SerializationContext context, @Nullable BeanProperty property) {
    return this;
  }

  /** As if it were written already; the value for nothing at all is unknown to Jackson 3.0. */
  @Override
  public JsonTypeInfo.As getTypeInclusion() {
    return JsonTypeInfo.As.EXISTING_PROPERTY;
  }

  @Override
  public @Nullable String getPropertyName() {
    return null;
  }

  @Override
  public @Nullable TypeIdResolver getTypeIdResolver() {
    return null;
  }

  /** For every type that may have subclasses and says nothing else about them. */
  static final class Builder extends StdTypeResolverBuilder {

    @Override
    public @Nullable TypeSerializer buildTypeSerializer(
        SerializationContext context, JavaType type, Collection<NamedType> found) {
      boolean mayHaveSubclasses =
          type.isConcrete()
              && !type.isFinal()
              && !type.isJavaLangObject() // a type variable: the type check has looked at those
              && !type.isPrimitive()
              && !type.isContainerType()
              && !type.isReferenceType();
      // Serializers of an application's own need not bear a type: what they write is compared.
      return mayHaveSubclasses && !JacksonRules.areOn(type.getRawClass())
          ? new ExactClass(type)
          : null;
    }

    @Override
    public @Nullable TypeDeserializer buildTypeDeserializer(
        DeserializationContext context, JavaType type, Collection<NamedType> found) {
      return null;
    }

    @Override
    public StdTypeResolverBuilder withDefaultImpl(@Nullable Class<?> defaultImpl) {
      return this;
    }
  }
}
