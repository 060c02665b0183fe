package failover.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares two JSON texts, whatever the order of members and elements: hash sets and hash maps give
 * their elements in another order each time. Stateless.
 */
final class JsonContent {
  private JsonContent() {}

  static boolean isSame(JsonMapper mapper, byte[] one, byte[] other) {
    return Arrays.equals(one, other)
        || (one.length == other.length && sorted(mapper, one).equals(sorted(mapper, other)));
  }

  private static String sorted(JsonMapper mapper, byte[] json) {
    try (JsonParser parser = mapper.reader().createParser(json)) {
      return value(parser, parser.nextToken());
    }
  }

  /** Numbers as they are written: {@code 1.10} is not {@code 1.1}. */
  private static String value(JsonParser parser, JsonToken token) {
    if (token != JsonToken.START_ARRAY && token != JsonToken.START_OBJECT) {
      return token.id() + " " + parser.getString().length() + " " + parser.getString();
    }
    List<String> parts = new ArrayList<>();
    JsonToken next = parser.nextToken();
    while (!next.isStructEnd()) {
      String name = "";
      if (next == JsonToken.PROPERTY_NAME) {
        name = parser.currentName().length() + " " + parser.currentName();
        next = parser.nextToken();
      }
      parts.add(name + value(parser, next));
      next = parser.nextToken();
    }
    Collections.sort(parts);
    return token.id() + parts.toString();
  }
}
