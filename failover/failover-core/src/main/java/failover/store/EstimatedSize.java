package failover.store;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * About how many bytes of memory an answer takes that is kept by reference: a record, an enum, a
 * value of the JDK or an {@link Optional} of one, and the bytes that it is encoded in for a far
 * store, which are kept beside it. Every live call asks for it, so only texts, large numbers and
 * the components of records are looked at; all else is small. Confined to one thread.
 */
final class EstimatedSize {
  /** Less than every size. */
  static final long UNKNOWN = -1;

  private static final int SMALL = 24;
  private static final int MOST_PARTS = 1_000;

  /** A primitive value in memory and in digits. */
  private static final int PRIMITIVE = Long.BYTES + 12;

  /** What is around the name of a component in JSON, and a reference. */
  private static final int AROUND_NAME = 4;

  /**
   * A type of records.
   *
   * <p>{@code references} are the fields that hold references, and {@code bytes} what all else
   * takes: primitive values, and the names of components in JSON.
   */
  private static final class Shape {
    final MethodHandle[] references;
    final long bytes;

    Shape(List<MethodHandle> references, long bytes) {
      this.references = references.toArray(MethodHandle[]::new);
      this.bytes = bytes;
    }
  }

  /** The shapes of types of records; null if their fields cannot be read. */
  private static final ClassValue<@Nullable Shape> SHAPES =
      new ClassValue<>() {
        @Override
        protected @Nullable Shape computeValue(Class<?> type) {
          return shape(type);
        }
      };

  private int parts;
  private boolean isUnknown;

  private EstimatedSize() {}

  /** The size of an answer; {@link #UNKNOWN} if it cannot be told quickly. */
  static long of(Object answer) {
    EstimatedSize size = new EstimatedSize();
    long bytes = size.of(answer, 0);
    return size.isUnknown ? UNKNOWN : bytes;
  }

  private long of(@Nullable Object part, long before) {
    parts++;
    isUnknown |= parts > MOST_PARTS;
    if (part == null || isUnknown) {
      return before;
    }
    long bytes = before + SMALL;
    if (part instanceof String text) {
      return bytes + bytesOfCharacter(text) * text.length();
    } else if (part instanceof Record) {
      return ofRecord(part, bytes);
    }
    return ofOther(part, bytes);
  }

  private long ofOther(Object part, long bytes) {
    if (part instanceof Optional<?> optional) {
      return of(optional.orElse(null), bytes);
    } else if (part instanceof BigDecimal number) {
      return bytes + bytesOfNumber(number.unscaledValue());
    } else if (part instanceof BigInteger number) {
      return bytes + bytesOfNumber(number);
    } else if (part instanceof URI uri) {
      return bytes + 4L * uri.toString().length();
    }
    return bytes;
  }

  /** In bits, and in digits: three bits take about one. */
  private static long bytesOfNumber(BigInteger number) {
    long bits = number.bitLength();
    return bits / Byte.SIZE + bits / 3;
  }

  /** One byte each in memory and in UTF-8, or two and three, as three of them tell. */
  private static long bytesOfCharacter(String text) {
    int length = text.length();
    if (length == 0) {
      return 0;
    }
    int bits = text.charAt(0) | text.charAt(length / 2) | text.charAt(length - 1);
    return bits < 0x80 ? 2 : bits <= 0xFF ? 3 : 5;
  }

  private long ofRecord(Object answer, long before) {
    Shape shape = SHAPES.get(answer.getClass());
    if (shape == null) {
      isUnknown = true;
      return before;
    }
    long bytes = before + shape.bytes;
    for (MethodHandle field : shape.references) {
      bytes = of(value(field, answer), bytes);
    }
    return bytes;
  }

  private static @Nullable Object value(MethodHandle field, Object answer) {
    try {
      return (Object) field.invokeExact(answer);
    } catch (Throwable e) {
      throw new IllegalStateException("reading a field throws nothing, but this one did", e);
    }
  }

  private static @Nullable Shape shape(Class<?> type) {
    List<MethodHandle> found = new ArrayList<>();
    long bytes = 0;
    try {
      for (RecordComponent component : type.getRecordComponents()) {
        bytes += component.getName().length() + AROUND_NAME;
        if (component.getType().isPrimitive()) {
          bytes += PRIMITIVE;
        } else {
          bytes += Long.BYTES;
          Field field = type.getDeclaredField(component.getName());
          field.setAccessible(true);
          found.add(
              MethodHandles.lookup()
                  .unreflectGetter(field)
                  .asType(MethodType.methodType(Object.class, Object.class)));
        }
      }
      return new Shape(found, bytes);
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      return null; // its package is closed to this library
    }
  }
}
