package failover.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks through a type and all that it is made of for what cannot be read back: types that do not
 * say which values they have. Confined to one check.
 */
final class TypeCheck {
  private static final Set<JsonTypeInfo.Id> CLASS_NAMES =
      Set.of(JsonTypeInfo.Id.CLASS, JsonTypeInfo.Id.MINIMAL_CLASS);

  private static final Set<Class<?>> READABLE_INTERFACES =
      Set.of(CharSequence.class, Iterable.class, Map.Entry.class, Path.class);

  private static final int LEFT_OUT = Modifier.STATIC | Modifier.TRANSIENT;

  private final Subtypes subtypes;
  private final Set<Type> seen = new HashSet<>();

  TypeCheck(Subtypes subtypes) {
    this.subtypes = subtypes;
  }

  Optional<String> problem(Type type) {
    if (!seen.add(type)) {
      return Optional.empty();
    }
    if (type instanceof ParameterizedType generic) {
      Optional<String> ofRaw =
          generic.getRawType() instanceof Class<?> raw ? ofClass(raw) : Optional.empty();
      return ofRaw.isPresent() ? ofRaw : first(Arrays.stream(generic.getActualTypeArguments()));
    }
    if (type instanceof WildcardType wildcard) {
      return first(Arrays.stream(wildcard.getUpperBounds()));
    }
    if (type instanceof GenericArrayType array) {
      return problem(array.getGenericComponentType());
    }
    if (type instanceof Class<?> raw && isContainer(raw) && raw.getTypeParameters().length > 0) {
      return Optional.of(
          raw.getName()
              + " must say what it contains, or stored answers would come back as other types; name"
              + " it with new TypeRef<List<Price>>() {} or in the signature of the method");
    }
    return type instanceof Class<?> plain ? ofClass(plain) : Optional.empty();
  }

  private Optional<String> ofClass(Class<?> type) {
    if (type.isArray()) {
      return problem(type.getComponentType());
    }
    JsonTypeInfo info = type.getAnnotation(JsonTypeInfo.class);
    if (info != null) {
      return CLASS_NAMES.contains(info.use())
          ? Optional.of(
              type.getName()
                  + " must not be stored with the names of classes (@JsonTypeInfo); use names of"
                  + " your own")
          : Optional.empty();
    }
    if (type.isPrimitive() || type.isEnum() || isContainer(type)) {
      return Optional.empty();
    }
    if (subtypes.areKnown(type)) {
      return first(subtypes.of(type).values().stream().filter(found -> found != type));
    }
    if (type == Object.class || (isOpen(type) && !READABLE_INTERFACES.contains(type))) {
      return Optional.of(
          type.getName()
              + " must be sealed or have its subtypes registered, or stored answers could not be"
              + " read; register them with JacksonPayloadCodec.withSubtypes");
    }
    return type.getName().startsWith("java.") ? Optional.empty() : first(partsOf(type));
  }

  /** Abstract classes of the JDK are values of which Jackson knows how to read them. */
  private static boolean isOpen(Class<?> type) {
    return Modifier.isAbstract(type.getModifiers())
        && (type.isInterface() || !type.getName().startsWith("java."));
  }

  private static boolean isContainer(Class<?> type) {
    return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
  }

  private static Stream<Type> partsOf(Class<?> type) {
    Stream<Type> parts = Stream.empty();
    for (@Nullable Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      parts =
          Stream.concat(
              parts,
              Arrays.stream(at.getDeclaredFields())
                  .filter(field -> (field.getModifiers() & LEFT_OUT) == 0)
                  .map(Field::getGenericType));
    }
    return parts;
  }

  private Optional<String> first(Stream<? extends Type> types) {
    return types.map(this::problem).flatMap(Optional::stream).findFirst();
  }
}
