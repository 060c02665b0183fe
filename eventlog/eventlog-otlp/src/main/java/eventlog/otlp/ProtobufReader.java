package eventlog.otlp;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Finds fields in a protobuf message and skips all others. A message that ends in the middle, or is
 * none, has no field. Stateless.
 */
final class ProtobufReader {
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int LENGTH_DELIMITED = 2;
  private static final int FIXED_32 = 5;

  private ProtobufReader() {}

  /** The last value of a field that holds bytes, a text or a message. */
  static @Nullable ByteBuffer bytes(ByteBuffer message, int field) {
    return find(message, field) instanceof ByteBuffer found ? found : null;
  }

  /** The last value of a field that holds a whole number; 0 if there is none. */
  static long number(ByteBuffer message, int field) {
    return find(message, field) instanceof Long found ? found : 0;
  }

  /** The text in a field; empty if there is none. */
  static String text(ByteBuffer message, int field) {
    ByteBuffer found = bytes(message, field);
    return found == null ? "" : StandardCharsets.UTF_8.decode(found).toString();
  }

  private static @Nullable Object find(ByteBuffer message, int field) {
    ByteBuffer in = message.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    Object found = null;
    try {
      while (in.hasRemaining()) {
        long tag = varint(in);
        Object value =
            switch ((int) (tag & 7)) {
              case VARINT -> varint(in);
              case FIXED_64 -> in.getLong();
              case FIXED_32 -> (long) in.getInt();
              case LENGTH_DELIMITED -> part(in, varint(in));
              default -> throw new BufferUnderflowException(); // no message of today
            };
        found = tag >>> 3 == field ? value : found;
      }
      return found;
    } catch (BufferUnderflowException e) {
      return null;
    }
  }

  private static ByteBuffer part(ByteBuffer in, long size) {
    if (size < 0 || size > in.remaining()) {
      throw new BufferUnderflowException();
    }
    ByteBuffer part = in.slice(in.position(), (int) size);
    in.position(in.position() + (int) size);
    return part;
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = in.get();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new BufferUnderflowException();
  }
}
