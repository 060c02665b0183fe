package eventlog;

import eventlog.spi.Answer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The body of the answer to one event or a batch: {@code
 * {success,totalReceived,totalInserted,errors:[{index,error}]}}. Confined to one call.
 */
final class BatchAnswer {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final List<Answer.Failure> failures = new ArrayList<>();
  private boolean failed;

  private BatchAnswer() {}

  /** What a body says; one that cannot be read says nothing against the success of its status. */
  static Answer read(ByteBuffer body) {
    byte[] json = new byte[body.remaining()];
    body.get(json);
    BatchAnswer answer = new BatchAnswer();
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Answer.delivered();
      }
      answer.readObject(parser);
    } catch (JacksonException e) {
      return Answer.delivered();
    }
    if (!answer.failures.isEmpty()) {
      return Answer.partly(answer.failures);
    }
    return answer.failed
        ? Answer.later("the API answered success=false without naming an event", null)
        : Answer.delivered();
  }

  private void readObject(JsonParser parser) {
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      JsonToken token = parser.nextToken();
      if (name.equals("success")) {
        failed = token == JsonToken.VALUE_FALSE;
      } else if (name.equals("errors") && token == JsonToken.START_ARRAY) {
        while (parser.nextToken() == JsonToken.START_OBJECT) {
          readFailure(parser);
        }
      }
      parser.skipChildren();
    }
  }

  private void readFailure(JsonParser parser) {
    int index = -1;
    String error = "";
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      JsonToken token = parser.nextToken();
      if (name.equals("index") && token == JsonToken.VALUE_NUMBER_INT) {
        index = parser.getIntValue();
      } else if (name.equals("error")) {
        error = parser.getValueAsString("");
      }
      parser.skipChildren();
    }
    if (index >= 0) {
      failures.add(new Answer.Failure(index, error));
    }
  }
}
