package failover.codec;

import java.util.HashSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.ser.bean.BeanSerializerBase;

/**
 * Asks Jackson whether it could make values of a type and of all that they are made of, without
 * making any. Confined to one check.
 */
final class ReadCheck {
  private final JsonMapper mapper;
  private final Subtypes subtypes;
  private final DeserializationContext context;
  private final Set<JavaType> seen = new HashSet<>();

  ReadCheck(JsonMapper mapper, Subtypes subtypes) {
    this.mapper = mapper;
    this.subtypes = subtypes;
    this.context = mapper._deserializationContext();
  }

  /** Why values of the type could not be read back, with the way out; empty if they can. */
  Optional<String> problem(JavaType type) {
    try {
      return ofType(type);
    } catch (JacksonException e) {
      return Optional.of(
          "%s must be readable but is not: %s; change it, or give JacksonPayloadCodec.of a mapper"
                  .formatted(type.toCanonical(), e.getOriginalMessage())
              + " that can read it");
    }
  }

  private Optional<String> ofType(JavaType type) {
    if (!seen.add(type)) {
      return Optional.empty();
    }
    Class<?> raw = type.getRawClass();
    if (!subtypes.areKnown(raw)) {
      return ofReader(type, context.findNonContextualValueDeserializer(type));
    }
    return subtypes.of(raw).values().stream()
        .map(mapper::constructType)
        .map(found -> ofReader(found, context.findNonContextualValueDeserializer(found)))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Readers that are neither for beans nor for containers know what they do. */
  private Optional<String> ofReader(JavaType type, @Nullable ValueDeserializer<?> reader) {
    if (reader instanceof AbstractDeserializer && context.findTypeDeserializer(type) == null) {
      return Optional.of(
          type.toCanonical() + " must be readable but is not; keep its content in the answer");
    }
    if (reader instanceof BeanDeserializerBase bean) {
      return ofBean(type, bean);
    }
    if (reader instanceof ContainerDeserializerBase<?> container) {
      ValueInstantiator maker = container.getValueInstantiator();
      boolean isOwn = !type.getRawClass().getName().startsWith("java.");
      return isOwn && maker != null && !canMake(maker) ? notMade(type) : ofContent(type, container);
    }
    return type.isReferenceType() ? ofType(type.getContentType()) : Optional.empty();
  }

  private Optional<String> ofContent(JavaType type, ContainerDeserializerBase<?> container) {
    ValueDeserializer<?> reader = container.getContentDeserializer();
    JavaType content = type.getContentType();
    if (content == null) {
      return Optional.empty();
    }
    return reader == null || isStandard(reader) ? ofType(content) : Optional.empty();
  }

  private Optional<String> ofBean(JavaType type, BeanDeserializerBase bean) {
    ValueInstantiator maker = bean.getValueInstantiator();
    if (!canMake(maker) && !(maker.canInstantiate() && !isWrittenByFields(type))) {
      return notMade(type);
    }
    Iterator<SettableBeanProperty> properties = bean.properties();
    while (properties.hasNext()) {
      SettableBeanProperty property = properties.next();
      if (isStandard(property.getValueDeserializer())) {
        Optional<String> problem = ofType(property.getType());
        if (problem.isPresent()) {
          return problem;
        }
      }
    }
    return Optional.empty();
  }

  /** Whether it is one that reads the same wherever its type is used, as far as this looks. */
  private static boolean isStandard(@Nullable ValueDeserializer<?> reader) {
    return reader == null || reader.getClass().getName().startsWith("tools.jackson.databind.");
  }

  private boolean isWrittenByFields(JavaType type) {
    return mapper._serializationContext().findValueSerializer(type) instanceof BeanSerializerBase;
  }

  private static boolean canMake(ValueInstantiator maker) {
    return maker.canCreateUsingDefault()
        || maker.canCreateFromObjectWith()
        || maker.canCreateUsingDelegate()
        || maker.canCreateUsingArrayDelegate();
  }

  private static Optional<String> notMade(JavaType type) {
    return Optional.of(
        type.toCanonical()
            + " must have a way to be made again but has none: give it a constructor without"
            + " arguments, which may be private, make it a record, or mark a constructor with"
            + " @JsonCreator");
  }
}
