package failover.key.canonical;

import java.io.File;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How the values of one class are written: as their text, as the bytes of a message, as all their
 * fields, followed by their elements if they have any, or not at all. Found once for each class.
 * Immutable but for one thing: a class found to keep its hash in a field is unkeyable from then on.
 *
 * <p>All fields means all, transient ones too: a field too many costs a stored answer, a field too
 * few would serve the wrong one. A field that changes when the hash is asked for would give equal
 * arguments different keys, and cannot be told from a field that counts.
 */
final class ValueShape {
  /** Stands for bytes of a path that are no characters, whatever they are. */
  private static final char UNDECODED = '\uFFFD';

  private static final String TIMESTAMP = "java.sql.Timestamp";

  /** Values of the JDK whose text is different for each of them. */
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
          File.class,
          Locale.class,
          Currency.class,
          OptionalInt.class,
          OptionalLong.class,
          OptionalDouble.class,
          Class.class);

  /** By their names, since an application need not have the module they are in. */
  private static final Set<String> SQL_TIMES = Set.of("java.sql.Date", "java.sql.Time", TIMESTAMP);

  /** Those of other file systems are also told apart by these, which have no text. */
  private static final Class<?> USUAL_PATH = FileSystems.getDefault().getPath("").getClass();

  private static final Set<Class<?>> NUMBERS =
      Set.of(int.class, long.class, Integer.class, Long.class);

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
  private final List<Field> numbers;
  private final @Nullable ProtobufMessage message;
  private final boolean hasElements;
  private volatile @Nullable String problem;

  private ValueShape(
      Class<?> type,
      boolean isText,
      @Nullable ProtobufMessage message,
      List<Field> fields,
      @Nullable String problem) {
    this.type = type;
    this.isText = isText;
    this.message = message;
    this.fields = fields;
    this.numbers = fields.stream().filter(ValueShape::mayKeepHash).toList();
    this.hasElements = CanonicalKeys.hasElements(type);
    this.problem = problem;
  }

  private static boolean mayKeepHash(Field field) {
    return !Modifier.isFinal(field.getModifiers()) && NUMBERS.contains(field.getType());
  }

  static ValueShape of(Class<?> type) {
    return SHAPES.get(type);
  }

  /** Why values of this class cannot be part of a key, or null if they can. */
  @Nullable String problem() {
    return problem;
  }

  void write(KeyBytes out, Object value, int depth) throws UnkeyableArgumentException {
    String known = problem;
    if (known != null) {
      throw new UnkeyableArgumentException(known);
    }
    out.tag(isText ? 't' : message == null ? 'f' : 'p');
    out.text(type.getName());
    if (isText) {
      out.text(textOf(value));
      return;
    }
    if (message != null) {
      int length = message.size(value);
      CanonicalKeys.requireFits(out, length);
      out.number(length);
      out.raw(message.bytes(value, length));
      return;
    }
    List<@Nullable Object> before = valuesOf(numbers, value);
    for (Field field : fields) {
      CanonicalKeys.write(out, read(field, value), depth);
    }
    if (hasElements) {
      CanonicalKeys.elements(out, value, depth);
    }
    requireNoCache(before, value);
  }

  private List<@Nullable Object> valuesOf(List<Field> some, Object value)
      throws UnkeyableArgumentException {
    List<@Nullable Object> values = new ArrayList<>(some.size());
    for (Field field : some) {
      values.add(read(field, value));
    }
    return values;
  }

  /**
   * Finds a field that keeps the hash, which no look at the class would tell. Called when the value
   * is written, since then asking for its hash is known to end.
   */
  private void requireNoCache(List<@Nullable Object> before, Object value)
      throws UnkeyableArgumentException {
    if (before.isEmpty()) {
      return;
    }
    var unused = value.hashCode();
    List<@Nullable Object> after = valuesOf(numbers, value);
    for (int i = 0; i < numbers.size(); i++) {
      if (!Objects.equals(before.get(i), after.get(i))) {
        String found =
            "an argument of %s must not change when its hash is asked for, but its field '%s' does"
                .formatted(type.getName(), numbers.get(i).getName());
        problem = found;
        throw new UnkeyableArgumentException(found);
      }
    }
  }

  @SuppressWarnings("JavaUtilDate") // an argument may still be one
  private static String textOf(Object value) throws UnkeyableArgumentException {
    if (value instanceof Enum<?> constant) {
      return constant.name();
    }
    if (value instanceof Locale locale) { // without a language its text lacks script and variant
      return locale + " " + locale.toLanguageTag();
    }
    if (value instanceof Date date) { // the text of a timestamp depends on the time zone
      return date.getClass().getName().equals(TIMESTAMP)
          ? date.toInstant().toString()
          : Long.toString(date.getTime());
    }
    String text = value.toString();
    if (value instanceof Path && text.indexOf(UNDECODED) >= 0) {
      throw new UnkeyableArgumentException(
          "a path must be of characters that the file system can encode but is " + text);
    }
    return text;
  }

  private static @Nullable Object read(Field field, Object value)
      throws UnkeyableArgumentException {
    try {
      return field.get(value);
    } catch (IllegalAccessException e) {
      throw new UnkeyableArgumentException(field + " must be readable but is not: " + e);
    }
  }

  /** Finds it anew. */
  static ValueShape find(Class<?> type) {
    if (type == USUAL_PATH) {
      return new ValueShape(Path.class, true, null, List.of(), null);
    }
    if (TEXTS.contains(type) || isTimeValue(type)) {
      return new ValueShape(type, true, null, List.of(), null);
    }
    if (Enum.class.isAssignableFrom(type)) {
      // A constant with a body has a class of its own; its name belongs to the enum.
      Class<?> declaring = type.isEnum() ? type : type.getSuperclass();
      return new ValueShape(declaring, true, null, List.of(), null);
    }
    if (!type.isRecord() && !overridesEquals(type)) {
      return unkeyable(type, "must have value equality (equals) but has none");
    }
    ProtobufMessage message = ProtobufMessage.of(type);
    return message == null ? ofFields(type) : new ValueShape(type, false, message, List.of(), null);
  }

  private static boolean isTimeValue(Class<?> type) {
    return type == Date.class
        || SQL_TIMES.contains(type.getName())
        || (type.getPackageName().equals("java.time") && !Clock.class.isAssignableFrom(type));
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
      return new ValueShape(type, false, null, List.copyOf(fields), null);
    } catch (InaccessibleObjectException | SecurityException e) {
      return unkeyable(type, "must have fields that can be read but has not: " + e.getMessage());
    }
  }

  private static ValueShape unkeyable(Class<?> type, String why) {
    return new ValueShape(
        type, false, null, List.of(), "an argument of %s %s".formatted(type.getName(), why));
  }
}
