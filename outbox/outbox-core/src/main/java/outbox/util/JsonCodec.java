package outbox.util;

import holdfast.json.StringMapJson;
import java.util.Map;
import java.util.Optional;

/** JSON as the outbox needs it: headers as an object of texts, payloads checked. Stateless. */
public final class JsonCodec {
  private static final String NAME = "v";

  private JsonCodec() {}

  /**
   * Headers as a JSON object.
   *
   * @param headers names and values
   * @return JSON text without white space
   */
  public static String toJson(Map<String, String> headers) {
    return StringMapJson.write(headers);
  }

  /**
   * The headers in a JSON object.
   *
   * @param json a JSON object of texts
   * @return names and values in the text's order; cannot be changed
   * @throws IllegalArgumentException if the text is anything else
   */
  public static Map<String, String> fromJson(String json) {
    return StringMapJson.read(json);
  }

  /**
   * The text in a JSON string.
   *
   * @param json a JSON string with its quotes
   * @return the text
   * @throws IllegalArgumentException if it is anything else
   */
  public static String stringFromJson(String json) {
    // What goes on after its closing quote could otherwise pass for more entries of the object.
    findMistake(json)
        .ifPresent(
            mistake -> {
              throw new IllegalArgumentException("a JSON string " + mistake);
            });
    return StringMapJson.read("{\"" + NAME + "\":" + json + "}").getOrDefault(NAME, "");
  }

  /**
   * The first mistake in a text that must be JSON.
   *
   * @param json any text
   * @return what must hold and what was found, or empty if the text is JSON
   */
  public static Optional<String> findMistake(String json) {
    return new JsonChecker(json).findMistake();
  }
}
