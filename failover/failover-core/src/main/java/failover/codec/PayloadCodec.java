package failover.codec;

import java.lang.reflect.Type;
import java.util.Optional;

/** Answers as bytes. Safe for use by many threads. */
public interface PayloadCodec {

  /**
   * The answer as bytes that do not change when the answer does.
   *
   * @param type the type it was declared with
   * @throws CodecException if it cannot be written
   */
  byte[] encode(Object value, Type type);

  /**
   * The answer of that type that the bytes are, independent of all others.
   *
   * @throws CodecException if the bytes are none
   */
  Object decode(byte[] bytes, Type type);

  /**
   * Why answers of the type could not be read back, with the way out; empty if they can.
   *
   * @param type the type of a point
   */
  Optional<String> problem(Type type);
}
