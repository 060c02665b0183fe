package failover.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import failover.FailoverResult;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.jsontype.TypeDeserializer;
import tools.jackson.databind.jsontype.impl.AsDeductionTypeDeserializer;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.jdk.JDKKeySerializers;

/**
 * Looks through a type and all that it is made of, as Jackson would write and read it: for what
 * cannot be read back as it was, for names of classes, and for whatever leaves a doubt. Confined to
 * one check.
 */
final class TypeCheck {
  private static final Set<Class<?>> READABLE_INTERFACES =
      Set.of(CharSequence.class, Iterable.class, Map.Entry.class, Path.class);

  private final JsonMapper mapper;
  private final Subtypes subtypes;
  private final boolean isStateInFields;
  private final SerializationContext writing;
  private final DeserializationContext reading;
  private final Set<JavaType> seen = new HashSet<>();
  private final Deque<JavaType> within = new ArrayDeque<>();
  private @Nullable String problem;
  private boolean isExact;

  /**
   * A check.
   *
   * @param isStateInFields whether the mapper takes fields and nothing else
   */
  TypeCheck(JsonMapper mapper, Subtypes subtypes, boolean isStateInFields) {
    this.mapper = mapper;
    this.subtypes = subtypes;
    this.isStateInFields = isStateInFields;
    this.isExact = isStateInFields;
    this.writing = mapper._serializationContext();
    this.reading = mapper._deserializationContext();
  }

  TypeVerdict of(JavaType type) {
    String path = nameOf(type);
    try {
      type(type, path, null);
    } catch (JacksonException e) {
      refuse(
          type.toCanonical(),
          path,
          "must be readable but is not: %s; change it, or give JacksonPayloadCodec.of a mapper that can read it"
              .formatted(e.getOriginalMessage()));
    }
    return new TypeVerdict(Optional.ofNullable(problem), isExact && problem == null);
  }

  private static String nameOf(JavaType type) {
    String name = type.getRawClass().getSimpleName();
    return type.isContainerType() && type.getContentType() != null && !type.isArrayType()
        ? "%s<%s>".formatted(name, nameOf(type.getContentType()))
        : name;
  }

  private void refuse(String what, String path, String why) {
    if (problem == null) {
      String where = path.indexOf('.') < 0 && !path.endsWith("[]") ? "" : " (" + path + ")";
      problem = what + where + " " + why;
    }
  }

  /** A type as it is declared somewhere, perhaps with a rule of its own about its subtypes. */
  private void type(JavaType type, String path, @Nullable SettableBeanProperty of) {
    Class<?> raw = type.getRawClass();
    if (raw == Class.class) {
      refuse(
          raw.getName(),
          path,
          "must not be stored: a class would be loaded by a name in the data; keep the name itself,"
              + " as a String");
      return;
    }
    if (raw == FailoverResult.class) {
      refuse(
          raw.getName(),
          path,
          "must not be part of an answer, since a recovered one would say that it is up to date;"
              + " keep its value, or have the method return FailoverResult itself");
      return;
    }
    TypeDeserializer names =
        of == null
            ? (type.getTypeHandler() instanceof TypeDeserializer own ? own : null)
            : of.getValueTypeDeserializer();
    names = names == null ? reading.findTypeDeserializer(type) : names;
    if (names != null && isOfClasses(names)) {
      refuse(
          raw.getName(),
          path,
          "must not be stored with the names of classes (@JsonTypeInfo); use names of your own,"
              + " with JsonTypeInfo.Id.NAME");
      return;
    }
    if (within.contains(type)) {
      isExact = false; // as deep as its values are
    }
    if (!seen.add(type)) {
      return;
    }
    within.push(type);
    values(type, path, names, of);
    within.pop();
  }

  private static boolean isOfClasses(TypeDeserializer names) {
    if (names instanceof AsDeductionTypeDeserializer || names.getTypeIdResolver() == null) {
      return false;
    }
    JsonTypeInfo.Id kind = names.getTypeIdResolver().getMechanism();
    return kind != JsonTypeInfo.Id.NAME && kind != JsonTypeInfo.Id.SIMPLE_NAME;
  }

  private void values(
      JavaType type,
      String path,
      @Nullable TypeDeserializer names,
      @Nullable SettableBeanProperty of) {
    Class<?> raw = type.getRawClass();
    if (names != null && names.getTypeIdResolver() instanceof SubtypeNames) {
      for (Class<?> subtype : subtypes.of(raw).values()) {
        isExact &= subtype.getTypeParameters().length == 0; // which Jackson forgets when it writes
        body(narrowed(type, subtype), path);
      }
    } else if (names != null) {
      isExact = false;
      for (NamedType found : named(type, of)) {
        body(narrowed(type, found.getType()), path);
      }
    } else if (isUnspecific(type)) {
      refuse(
          raw.getName(),
          path,
          "must say what it contains, or stored answers would come back as other types; name it"
              + " with new TypeRef<List<Price>>() {} or in the signature of the method");
    } else if (raw == Object.class || (isOpen(raw) && !READABLE_INTERFACES.contains(raw))) {
      refuse(
          raw.getName(),
          path,
          "must be sealed or have its subtypes registered, or stored answers could not be read;"
              + " register them with JacksonPayloadCodec.withSubtypes");
    } else {
      body(type, path);
    }
  }

  private JavaType narrowed(JavaType type, Class<?> to) {
    return type.getRawClass() == to
        ? type
        : mapper.getTypeFactory().constructSpecializedType(type, to);
  }

  private Collection<NamedType> named(JavaType type, @Nullable SettableBeanProperty of) {
    AnnotatedMember member = of == null ? null : of.getMember();
    return member == null
        ? reading
            .getConfig()
            .getSubtypeResolver()
            .collectAndResolveSubtypesByTypeId(
                reading.getConfig(), reading.introspectClassAnnotations(type))
        : reading
            .getConfig()
            .getSubtypeResolver()
            .collectAndResolveSubtypesByTypeId(reading.getConfig(), member, type);
  }

  private static boolean isUnspecific(JavaType type) {
    return type.isContainerType()
        && type.getRawClass().getTypeParameters().length > 0
        && type.getBindings().isEmpty();
  }

  /** Abstract classes of the JDK are values of which Jackson knows how to read them. */
  private static boolean isOpen(Class<?> type) {
    return Modifier.isAbstract(type.getModifiers())
        && !type.isPrimitive()
        && !type.isArray()
        && !Collection.class.isAssignableFrom(type)
        && !Map.class.isAssignableFrom(type)
        && !type.isEnum()
        && (type.isInterface() || !type.getName().startsWith("java."));
  }

  /** Values of exactly this type. Readers that are for neither beans nor containers are trusted. */
  private void body(JavaType type, String path) {
    ValueDeserializer<?> reader = reading.findNonContextualValueDeserializer(type);
    if (reader instanceof AbstractDeserializer) {
      refuse(
          type.toCanonical(), path, "must be readable but is not; keep its content in the answer");
    } else if (reader instanceof BeanDeserializerBase bean) {
      bean(type, path, bean);
    } else if (reader instanceof ContainerDeserializerBase<?> container) {
      container(type, path, container);
    } else if (type.isReferenceType()) {
      reference(type, path);
    } else {
      isExact &= ExactTypes.haveValue(type.getRawClass());
    }
  }

  private void reference(JavaType type, String path) {
    if (type.getContentType().isReferenceType()) {
      refuse(
          type.toCanonical(),
          path,
          "must not contain another of its kind, or an empty one within would come back as none;"
              + " take one of them away");
      return;
    }
    isExact &= type.getRawClass() == Optional.class;
    type(type.getContentType(), path, null);
  }

  private void container(JavaType type, String path, ContainerDeserializerBase<?> container) {
    Class<?> raw = type.getRawClass();
    boolean isOwn = !raw.isArray() && !raw.getName().startsWith("java.");
    ValueInstantiator maker = container.getValueInstantiator();
    if (isOwn && maker != null && !canMake(maker)) {
      refuseUnmade(type, path);
    }
    if (isOwn && isStandard(container)) {
      InstanceFields.of(raw).stream().findFirst().ifPresent(field -> refuseLeftOut(field, path));
    }
    isExact &= isStandard(container) && (raw.isArray() || ExactTypes.haveContainer(raw));
    if (type.isMapLikeType()) {
      key(type.getKeyType(), path + ".key");
    }
    ValueDeserializer<?> reader = container.getContentDeserializer();
    if (type.getContentType() != null && isStandard(reader)) {
      type(type.getContentType(), path + "[]", null);
    } else {
      isExact &= type.getContentType() == null;
    }
  }

  /** Keys are texts: those of own classes must say how they are written and read. */
  private void key(JavaType type, String path) {
    Class<?> raw = type.getRawClass();
    if (ExactTypes.haveKey(raw)) {
      return;
    }
    isExact = false;
    ValueSerializer<?> writer = writing.findKeySerializer(type, null);
    boolean isText =
        writer instanceof JDKKeySerializers.Default || writer instanceof JDKKeySerializers.Dynamic;
    boolean isOwn = !raw.getName().startsWith("java.");
    if (raw == Class.class || raw == Object.class || (isOwn && isText) || readerOf(type) == null) {
      refuse(
          type.toCanonical(),
          path,
          "must not be the key of a map, since keys are stored as texts it cannot be read from;"
              + " use a String, a number, an enum or a time, or a list of records");
    }
  }

  private @Nullable KeyDeserializer readerOf(JavaType key) {
    try {
      return reading.findKeyDeserializer(key, null);
    } catch (JacksonException e) {
      return null; // said with what to do
    }
  }

  private void bean(JavaType type, String path, BeanDeserializerBase bean) {
    WrittenProperties written = WrittenProperties.of(writing.findValueSerializer(type));
    ValueInstantiator maker = bean.getValueInstantiator();
    if (!canMake(maker) && !(maker.canInstantiate() && !written.areOfBean())) {
      refuseUnmade(type, path);
      return;
    }
    Class<?> raw = type.getRawClass();
    isExact &=
        written.areOfBean()
            && !raw.getName().startsWith("java.")
            && !JacksonRules.areOn(raw)
            && (type.isFinal() || raw.getTypeParameters().length == 0)
            && (raw.isRecord() || maker.canCreateUsingDefault());
    Iterator<SettableBeanProperty> properties = bean.properties();
    while (properties.hasNext()) {
      SettableBeanProperty property = properties.next();
      property(property, path + "." + property.getName());
    }
    written.writers().forEach(it -> written(it, path, bean));
    if (isStateInFields && written.areOfBean()) {
      written.leftOut(raw).ifPresent(field -> refuseLeftOut(field, path));
    }
  }

  private void property(SettableBeanProperty property, String path) {
    if (isStandard(property.getValueDeserializer())) {
      type(property.getType(), path, property);
    } else {
      isExact = false;
    }
  }

  private void written(BeanPropertyWriter writer, String path, BeanDeserializerBase bean) {
    String name = writer.getName();
    isExact &= WrittenProperties.isField(writer);
    if (writer.isUnwrapping()) {
      type(writer.getType(), path + "." + name, null);
    } else if (bean.findProperty(PropertyName.construct(name)) == null
        && !writer.getMember().getDeclaringClass().getName().startsWith("java.")) {
      refuse(
          writer.getMember().getDeclaringClass().getName(),
          path + "." + name,
          "is written but not read, and would come back empty; take away what keeps it from being"
              + " read (@JsonIgnore, READ_ONLY), or make the field transient if it is no part of"
              + " the answer");
    }
  }

  private void refuseLeftOut(Field field, String path) {
    refuse(
        field.getDeclaringClass().getName(),
        path + "." + field.getName(),
        "is not written (@JsonIgnore, WRITE_ONLY, a field of that name in a subclass, or of a"
            + " collection), and would come back empty; take away what leaves it out, or make the"
            + " field transient if it is no part of the answer");
  }

  private void refuseUnmade(JavaType type, String path) {
    refuse(
        type.toCanonical(),
        path,
        "must have a way to be made again but has none: give it a constructor without arguments,"
            + " which may be private, make it a record, or mark a constructor with @JsonCreator");
  }

  /** Whether it is one that reads the same wherever its type is used, as far as this looks. */
  private static boolean isStandard(@Nullable ValueDeserializer<?> reader) {
    return reader == null || reader.getClass().getName().startsWith("tools.jackson.databind.");
  }

  private static boolean canMake(ValueInstantiator maker) {
    return maker.canCreateUsingDefault()
        || maker.canCreateFromObjectWith()
        || maker.canCreateUsingDelegate()
        || maker.canCreateUsingArrayDelegate();
  }
}
