package eventlog.otlp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What the body of an answer says: how many records were refused, and why. A body that cannot be
 * read says nothing. Immutable.
 *
 * @param refused how many log records were refused
 * @param problem why, or empty
 */
record ExportAnswer(long refused, String problem) {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final int LONGEST_PROBLEM = 500;
  private static final ExportAnswer NOTHING = new ExportAnswer(0, "");

  ExportAnswer {
    problem = problem.length() > LONGEST_PROBLEM ? problem.substring(0, LONGEST_PROBLEM) : problem;
  }

  /** Reads the answer to a request that was taken: an ExportLogsServiceResponse. */
  static ExportAnswer taken(@Nullable String contentType, ByteBuffer body) {
    if (isJson(contentType)) {
      return json(body);
    }
    ByteBuffer partialSuccess = ProtobufReader.bytes(body, 1);
    return partialSuccess == null
        ? NOTHING
        : new ExportAnswer(
            ProtobufReader.number(partialSuccess, 1), ProtobufReader.text(partialSuccess, 2));
  }

  /** Reads the answer to a request that was not: a google.rpc.Status, or a plain text. */
  static ExportAnswer failed(@Nullable String contentType, ByteBuffer body) {
    if (isJson(contentType)) {
      return json(body);
    }
    boolean isProtobuf = contentType != null && contentType.contains("protobuf");
    return new ExportAnswer(
        0, isProtobuf ? ProtobufReader.text(body, 2) : text(body.duplicate()).strip());
  }

  private static String text(ByteBuffer body) {
    return StandardCharsets.UTF_8
        .decode(body.limit(Math.min(body.limit(), body.position() + LONGEST_PROBLEM)))
        .toString();
  }

  private static boolean isJson(@Nullable String contentType) {
    return contentType != null && contentType.toLowerCase(Locale.ROOT).contains("json");
  }

  /** Both answers in one: their names differ, and both may be written in two ways. */
  private static ExportAnswer json(ByteBuffer body) {
    byte[] json = new byte[body.remaining()];
    body.duplicate().get(json);
    long refused = 0;
    String problem = "";
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.PROPERTY_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          switch (name) {
            case "rejectedLogRecords", "rejected_log_records" -> refused = parser.getValueAsLong(0);
            case "errorMessage", "error_message", "message" ->
                problem = parser.getValueAsString("");
            default -> {}
          }
        }
      }
      return new ExportAnswer(refused, problem);
    } catch (JacksonException e) {
      return NOTHING;
    }
  }
}
