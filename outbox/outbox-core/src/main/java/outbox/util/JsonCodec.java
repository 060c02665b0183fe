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

  /**
   * What a JSON text has that not every database keeps as it is: half of a surrogate pair, or a
   * number beyond all ranges.
   *
   * @param json JSON text
   * @return what must hold and what was found, or empty if every database keeps it
   */
  public static Optional<String> findUnkeepable(String json) {
    return new JsonLimits(json).mistake();
  }

  /**
   * How deep the arrays and objects of a JSON text are nested.
   *
   * @param json JSON text
   * @return 0 for a scalar, 1 for an array or object of scalars or of nothing
   */
  public static int depth(String json) {
    return new JsonLimits(json).deepest();
  }
}
