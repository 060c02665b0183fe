package failover.types;

import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Fills in the type variables of what a class inherits. Stateless. */
public final class TypeVariables {
  private TypeVariables() {}

  /**
   * A type as it is in a class: variables of types above the class stand for what the class, or one
   * in between, says they do. Those nobody says anything about stay.
   *
   * @param type the type, as of a method that the class inherits
   * @param in the class
   */
  public static Type resolve(Type type, Class<?> in) {
    Map<TypeVariable<?>, Type> known = new HashMap<>();
    learn(in, known);
    return resolve(type, known);
  }

  /** Whether there is a type variable in it, so that its values may be of any type. */
  public static boolean areIn(Type type) {
    if (type instanceof ParameterizedType generic) {
      return Arrays.stream(generic.getActualTypeArguments()).anyMatch(TypeVariables::areIn);
    }
    if (type instanceof WildcardType wildcard) {
      return Arrays.stream(wildcard.getUpperBounds()).anyMatch(TypeVariables::areIn);
    }
    return type instanceof GenericArrayType array
        ? areIn(array.getGenericComponentType())
        : type instanceof TypeVariable;
  }

  private static void learn(@Nullable Type type, Map<TypeVariable<?>, Type> known) {
    if (type instanceof ParameterizedType generic) {
      Class<?> raw = (Class<?>) generic.getRawType();
      for (int i = 0; i < raw.getTypeParameters().length; i++) {
        known.putIfAbsent(
            raw.getTypeParameters()[i], resolve(generic.getActualTypeArguments()[i], known));
      }
      learn(raw, known);
    } else if (type instanceof Class<?> plain) {
      learn(plain.getGenericSuperclass(), known);
      for (Type above : plain.getGenericInterfaces()) {
        learn(above, known);
      }
    }
  }

  private static Type resolve(Type type, Map<TypeVariable<?>, Type> known) {
    if (type instanceof TypeVariable<?> variable) {
      return known.getOrDefault(variable, type);
    }
    if (!areIn(type)) {
      return type;
    }
    if (type instanceof ParameterizedType generic) {
      return new Resolved(
          (Class<?>) generic.getRawType(),
          Arrays.stream(generic.getActualTypeArguments())
              .map(argument -> resolve(argument, known))
              .toList(),
          generic.getOwnerType());
    }
    if (type instanceof WildcardType wildcard) { // read as what it extends
      return resolve(wildcard.getUpperBounds()[0], known);
    }
    return arrayOf(resolve(((GenericArrayType) type).getGenericComponentType(), known));
  }

  private static Type arrayOf(Type component) {
    return component instanceof Class<?> plain
        ? Array.newInstance(plain, 0).getClass()
        : new ResolvedArray(component);
  }

  private record Resolved(Class<?> raw, List<Type> arguments, @Nullable Type owner)
      implements ParameterizedType {

    @Override
    public Type[] getActualTypeArguments() {
      return arguments.toArray(Type[]::new);
    }

    @Override
    public Type getRawType() {
      return raw;
    }

    @Override
    public @Nullable Type getOwnerType() {
      return owner;
    }

    /** As the JDK writes its own. */
    @Override
    public String toString() {
      return arguments.stream()
          .map(Type::getTypeName)
          .collect(Collectors.joining(", ", raw.getName() + "<", ">"));
    }
  }

  private record ResolvedArray(Type component) implements GenericArrayType {

    @Override
    public Type getGenericComponentType() {
      return component;
    }

    @Override
    public String toString() {
      return component.getTypeName() + "[]";
    }
  }
}
