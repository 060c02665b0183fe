package failover.key.canonical;

import java.nio.ByteBuffer;

/** Arrays of primitives as bytes, each element in as many as its type has. Stateless. */
final class PrimitiveArrays {
  private PrimitiveArrays() {}

  /** How many bytes that takes. */
  static long bytesOf(Object array, int length) {
    int each = 1;
    if (array instanceof long[] || array instanceof double[]) {
      each = Long.BYTES;
    } else if (array instanceof int[] || array instanceof float[]) {
      each = Integer.BYTES;
    } else if (array instanceof short[] || array instanceof char[]) {
      each = Short.BYTES;
    }
    return (long) each * length;
  }

  static byte[] toBytes(Object array, int length) {
    ByteBuffer bytes = ByteBuffer.allocate((int) bytesOf(array, length));
    if (array instanceof byte[] elements) {
      bytes.put(elements);
    } else if (array instanceof int[] elements) {
      bytes.asIntBuffer().put(elements);
    } else if (array instanceof long[] elements) {
      bytes.asLongBuffer().put(elements);
    } else if (array instanceof char[] elements) {
      bytes.asCharBuffer().put(elements);
    } else if (array instanceof short[] elements) {
      bytes.asShortBuffer().put(elements);
    } else if (array instanceof double[] elements) {
      for (double element : elements) { // all that are not a number are equal
        bytes.putLong(Double.doubleToLongBits(element));
      }
    } else if (array instanceof float[] elements) {
      for (float element : elements) {
        bytes.putInt(Float.floatToIntBits(element));
      }
    } else if (array instanceof boolean[] elements) {
      for (boolean element : elements) {
        bytes.put((byte) (element ? 1 : 0));
      }
    }
    return bytes.array();
  }
}
