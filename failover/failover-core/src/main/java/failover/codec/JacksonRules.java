package failover.codec;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonIgnoreType;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells classes whose annotations change how Jackson writes or reads their values from those that
 * it treats as it treats all. Stateless.
 */
final class JacksonRules {
  /** Those that only name, order, select or describe properties. */
  private static final Set<Class<? extends Annotation>> HARMLESS =
      Set.of(
          JsonAlias.class,
          JsonAutoDetect.class,
          JsonClassDescription.class,
          JsonCreator.class,
          JsonIgnore.class,
          JsonIgnoreProperties.class,
          JsonIgnoreType.class,
          JsonInclude.class,
          JsonProperty.class,
          JsonPropertyDescription.class,
          JsonPropertyOrder.class,
          JsonTypeName.class);

  private static final ClassValue<Boolean> FOUND =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return isAnyOn(type);
        }
      };

  private JacksonRules() {}

  /** Whether there is such an annotation on the class, what it is made of, or a type above it. */
  static boolean areOn(Class<?> type) {
    return FOUND.get(type);
  }

  static boolean isAnyOn(Class<?> type) {
    return above(type).flatMap(JacksonRules::elements).anyMatch(JacksonRules::hasRule);
  }

  private static Stream<Class<?>> above(@Nullable Class<?> type) {
    return type == null || type.getName().startsWith("java.")
        ? Stream.empty()
        : Stream.concat(
            Stream.of(type),
            Stream.concat(
                above(type.getSuperclass()),
                Arrays.stream(type.getInterfaces()).flatMap(JacksonRules::above)));
  }

  private static Stream<AnnotatedElement> elements(Class<?> type) {
    Stream<Executable> executables =
        Stream.concat(
            Arrays.stream(type.getDeclaredMethods()),
            Arrays.stream(type.getDeclaredConstructors()));
    return Stream.concat(
        Stream.concat(Stream.of(type), Arrays.stream(type.getDeclaredFields())),
        executables.flatMap(it -> Stream.concat(Stream.of(it), Arrays.stream(it.getParameters()))));
  }

  private static boolean hasRule(AnnotatedElement element) {
    return Arrays.stream(element.getAnnotations())
        .map(Annotation::annotationType)
        .anyMatch(JacksonRules::isRule);
  }

  private static boolean isRule(Class<? extends Annotation> type) {
    boolean isJacksons =
        type.getName().startsWith("com.fasterxml.jackson.")
            || type.getName().startsWith("tools.jackson.");
    return (isJacksons && !HARMLESS.contains(type))
        || type.isAnnotationPresent(JacksonAnnotationsInside.class);
  }
}
