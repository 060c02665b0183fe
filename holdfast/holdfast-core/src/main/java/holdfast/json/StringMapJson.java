package holdfast.json;

import java.util.Map;

/**
 * A map of texts as a JSON object: {@code {"tenant":"a","trace":"b"}}.
 *
 * <p>Stateless; safe for use by many threads.
 */
public final class StringMapJson {
  private static final String HEX = "0123456789abcdef";

  private StringMapJson() {}

  /**
   * The JSON text of a map, in the map's order and without white space.
   *
   * @param map names and values, none of them null
   * @return a JSON object
   */
  public static String write(Map<String, String> map) {
    StringBuilder json = new StringBuilder(2 + 32 * map.size()).append('{');
    String separator = "";
    for (Map.Entry<String, String> entry : map.entrySet()) {
      json.append(separator);
      writeText(json, entry.getKey());
      json.append(':');
      writeText(json, entry.getValue());
      separator = ",";
    }
    return json.append('}').toString();
  }

  /**
   * The map in a JSON text, in the text's order; of a name that stands twice the last value counts.
   *
   * @param json a JSON object whose values are all texts
   * @return a map that cannot be changed
   * @throws IllegalArgumentException if the text is anything else, naming the position
   */
  public static Map<String, String> read(String json) {
    return new StringMapReader(json).read();
  }

  private static void writeText(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || isLoneSurrogate(text, i)) {
        json.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
          json.append(HEX.charAt((c >> shift) & 15));
        }
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }

  // Half a surrogate pair has no UTF-8 form: written as it is, it would come back as a question
  // mark.
  private static boolean isLoneSurrogate(String text, int i) {
    char c = text.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
    }
    return Character.isLowSurrogate(c)
        && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
  }
}
