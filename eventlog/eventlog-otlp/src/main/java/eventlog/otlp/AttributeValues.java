package eventlog.otlp;

import java.math.BigDecimal;
import java.math.BigInteger;

/** The numbers of attributes as OTLP has them: whole ones of 64 bits, and doubles. Stateless. */
final class AttributeValues {
  /** How deep values may be nested; what refers to itself has no end. */
  static final int MOST_LEVELS = 100;

  private AttributeValues() {}

  /** Whether a number is written as a whole one. */
  static boolean isWhole(Number number) {
    return number instanceof Integer
        || number instanceof Long
        || number instanceof Short
        || number instanceof Byte
        || (number instanceof BigInteger big && big.bitLength() < Long.SIZE);
  }

  /** Whether a number is written as a double: the others lose digits and are written as texts. */
  static boolean isDouble(Number number) {
    return number instanceof Double
        || number instanceof Float
        || (number instanceof BigDecimal decimal
            && BigDecimal.valueOf(decimal.doubleValue()).compareTo(decimal) == 0);
  }
}
