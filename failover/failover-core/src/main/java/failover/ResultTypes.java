package failover;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Arrays;

/** Finds {@link FailoverResult} among the arguments of a type. Stateless. */
final class ResultTypes {
  private ResultTypes() {}

  static boolean areWithin(Type type) {
    if (type instanceof ParameterizedType generic) {
      return areWithin(generic.getRawType())
          || Arrays.stream(generic.getActualTypeArguments()).anyMatch(ResultTypes::areWithin);
    }
    if (type instanceof WildcardType wildcard) {
      return Arrays.stream(wildcard.getUpperBounds()).anyMatch(ResultTypes::areWithin);
    }
    if (type instanceof GenericArrayType array) {
      return areWithin(array.getGenericComponentType());
    }
    return type instanceof Class<?> plain
        && (plain == FailoverResult.class
            || (plain.isArray() && areWithin(plain.getComponentType())));
  }
}
