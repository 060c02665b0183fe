package failover.codec;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/**
 * Writes texts that are keys of maps. One with half a surrogate pair is refused: it has no bytes in
 * UTF-8, and Jackson cannot read a name with its escape. Stateless.
 */
final class TextKeys extends ValueSerializer<String> {
  @Override
  public void serialize(String key, JsonGenerator out, SerializationContext context) {
    if (hasHalfAPair(key)) {
      context.reportBadDefinition(
          String.class,
          "the key of a map must have no half of a surrogate pair, which could not be read again");
    }
    out.writeName(key);
  }

  private static boolean hasHalfAPair(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
          return true;
        }
        i++; // the other half
      }
    }
    return false;
  }
}
