package failover.codec;

import java.lang.reflect.Type;
import java.util.Optional;

/**
 * Answers as bytes. An answer comes back as it was, or not at all: what cannot is refused by {@link
 * #problem} or by an exception, and never guessed. Safe for use by many threads.
 */
public interface PayloadCodec {

  /**
   * The answer as bytes that do not change when the answer does.
   *
   * @param type the type it was declared with
   * @throws CodecException if it cannot be written, or would not come back as it is
   */
  byte[] encode(Object value, Type type);

  /**
   * The answer of that type that the bytes are, independent of all others.
   *
   * @throws CodecException if the bytes are none, as those of another version of the type
   */
  Object decode(byte[] bytes, Type type);

  /**
   * The same for bytes that this codec, in this process, has made of an answer of the same type:
   * there is no other version to look out for. Otherwise {@link #decode}.
   *
   * @throws CodecException if the bytes are none
   */
  default Object decodeOwn(byte[] bytes, Type type) {
    return decode(bytes, type);
  }

  /**
   * Whether every answer of the type is known to be written and to come back as it was. If so,
   * answers that cannot change are kept as they are, and written when the bytes are needed;
   * otherwise they are written at once, so that a store in memory gives nothing that a table would
   * refuse. Otherwise false.
   *
   * @param type the type of a point
   */
  default boolean isExact(Type type) {
    return false;
  }

  /**
   * Why answers of the type could not be read back, with the fix; empty if they can.
   *
   * @param type the type of a point
   */
  Optional<String> problem(Type type);

  /**
   * An answer cannot be written as bytes, or bytes are no answer of the type. Its message is
   * logged, so it must not quote the answer; its cause is not.
   */
  final class CodecException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What was tried, and what came of it. */
    public CodecException(String message) {
      super(message);
    }

    /** What was tried, and why it failed. */
    public CodecException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
