package failover.key;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How the values of one class are written: as their text, as all their fields, followed by their
 * elements if they have any, or not at all. Found once for each class. Immutable.
 *
 * <p>All fields means all, transient ones too: a field too many costs a stored answer, a field too
 * few would serve the wrong one.
 */
final class ValueShape {
  /** Final values of the JDK whose text is different for each of them. */
  private static final Set<Class<?>> TEXTS =
      Set.of(
          Boolean.class,
          Byte.class,
          Short.class,
          Character.class,
          Float.class,
          Double.class,
          BigInteger.class,
          BigDecimal.class,
          UUID.class,
          URI.class,
          Locale.class,
          Currency.class,
          OptionalInt.class,
          OptionalLong.class,
          OptionalDouble.class,
          Class.class);

  private static final ClassValue<ValueShape> SHAPES =
      new ClassValue<>() {
        @Override
        protected ValueShape computeValue(Class<?> type) {
          return find(type);
        }
      };

  private final Class<?> type;
  private final boolean isText;
  private final List<Field> fields;
  private final boolean hasElements;
  private final @Nullable String problem;

  private ValueShape(Class<?> type, boolean isText, List<Field> fields, @Nullable String problem) {
    this.type = type;
    this.isText = isText;
    this.fields = fields;
    this.hasElements = CanonicalKeys.hasElements(type);
    this.problem = problem;
  }

  static ValueShape of(Class<?> type) {
    return SHAPES.get(type);
  }

  /** Why values of this class cannot be part of a key, or null if they can. */
  @Nullable String problem() {
    return problem;
  }

  void write(KeyBytes out, Object value, int depth) throws UnkeyableArgumentException {
    if (problem != null) {
      throw new UnkeyableArgumentException(problem);
    }
    out.tag(isText ? 't' : 'f');
    out.text(type.getName());
    if (isText) {
      out.text(textOf(value));
      return;
    }
    for (Field field : fields) {
      CanonicalKeys.write(out, read(field, value), depth);
    }
    if (hasElements) {
      CanonicalKeys.elements(out, value, depth);
    }
  }

  @SuppressWarnings("JavaUtilDate") // an argument may still be one
  private static String textOf(Object value) {
    if (value instanceof Enum<?> constant) {
      return constant.name();
    }
    if (value instanceof Locale locale) { // without a language its text lacks script and variant
      return locale + " " + locale.toLanguageTag();
    }
    return value instanceof Date date ? Long.toString(date.getTime()) : value.toString();
  }

  private static @Nullable Object read(Field field, Object value)
      throws UnkeyableArgumentException {
    try {
      return field.get(value);
    } catch (IllegalAccessException e) {
      throw new UnkeyableArgumentException(field + " must be readable but is not: " + e);
    }
  }

  private static ValueShape find(Class<?> type) {
    if (TEXTS.contains(type) || type == Date.class || isTimeValue(type)) {
      return new ValueShape(type, true, List.of(), null);
    }
    if (Enum.class.isAssignableFrom(type)) {
      // A constant with a body has a class of its own; its name belongs to the enum.
      Class<?> declaring = type.isEnum() ? type : type.getSuperclass();
      return new ValueShape(declaring, true, List.of(), null);
    }
    if (!type.isRecord() && !overridesEquals(type)) {
      return unkeyable(type, "must have value equality (equals) but has none");
    }
    return ofFields(type);
  }

  private static boolean isTimeValue(Class<?> type) {
    return type.getPackageName().equals("java.time") && !Clock.class.isAssignableFrom(type);
  }

  private static boolean overridesEquals(Class<?> type) {
    try {
      return type.getMethod("equals", Object.class).getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException e) {
      return false; // an interface
    }
  }

  private static ValueShape ofFields(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    boolean hasElements = CanonicalKeys.hasElements(type);
    for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      if (hasElements && CanonicalKeys.isNothingButElements(at)) {
        break; // what this class and those above it hold are the elements
      }
      Arrays.stream(at.getDeclaredFields())
          .filter(field -> !Modifier.isStatic(field.getModifiers()))
          .forEach(fields::add);
    }
    try {
      AccessibleObject.setAccessible(fields.toArray(AccessibleObject[]::new), true);
      return new ValueShape(type, false, List.copyOf(fields), null);
    } catch (InaccessibleObjectException | SecurityException e) {
      return unkeyable(type, "must have fields that can be read but has not: " + e.getMessage());
    }
  }

  private static ValueShape unkeyable(Class<?> type, String why) {
    return new ValueShape(
        type, false, List.of(), "an argument of %s %s".formatted(type.getName(), why));
  }
}
