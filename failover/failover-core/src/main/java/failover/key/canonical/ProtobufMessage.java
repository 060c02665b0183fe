package failover.key.canonical;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of messages of Protocol Buffers, which keep what they have computed in fields: sizes,
 * hashes, texts once they were asked for. Found by name, since the library does not depend on them.
 * Immutable.
 */
final class ProtobufMessage {
  private static final String MESSAGE = "com.google.protobuf.MessageLite";

  private final Method size;
  private final Method write;
  private final Method stream;
  private final Method deterministic;

  private ProtobufMessage(Class<?> message) throws ReflectiveOperationException {
    Class<?> out =
        Class.forName("com.google.protobuf.CodedOutputStream", true, message.getClassLoader());
    this.size = message.getMethod("getSerializedSize");
    this.write = message.getMethod("writeTo", out);
    this.stream = out.getMethod("newInstance", byte[].class);
    this.deterministic = out.getMethod("useDeterministicSerialization");
  }

  /** How messages of the class are written; null if its values are none. */
  static @Nullable ProtobufMessage of(Class<?> type) {
    Class<?> message = messageAbove(type);
    try {
      return message == null ? null : new ProtobufMessage(message);
    } catch (ReflectiveOperationException e) {
      return null; // keyed by its fields, as all that is not known
    }
  }

  private static @Nullable Class<?> messageAbove(@Nullable Class<?> type) {
    if (type == null || type.getName().equals(MESSAGE)) {
      return type;
    }
    for (Class<?> above : type.getInterfaces()) {
      Class<?> found = messageAbove(above);
      if (found != null) {
        return found;
      }
    }
    return messageAbove(type.getSuperclass());
  }

  /** How many bytes a message takes. */
  int size(Object message) throws UnkeyableArgumentException {
    try {
      return (int) size.invoke(message);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw unkeyable(message, e);
    }
  }

  /** The same bytes for equal messages: maps are written in the order of their keys. */
  byte[] bytes(Object message, int length) throws UnkeyableArgumentException {
    try {
      byte[] bytes = new byte[length];
      Object out = stream.invoke(null, bytes);
      deterministic.invoke(out);
      write.invoke(message, out);
      return bytes;
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw unkeyable(message, e);
    }
  }

  private static UnkeyableArgumentException unkeyable(
      Object message, ReflectiveOperationException e) {
    if (e.getCause() instanceof Error error) { // of the JVM: it says nothing about the message
      throw error;
    }
    return new UnkeyableArgumentException(
        "a message of %s must be writable but is not: %s"
            .formatted(message.getClass().getName(), e));
  }
}
