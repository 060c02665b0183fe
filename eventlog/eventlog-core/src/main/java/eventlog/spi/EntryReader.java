package eventlog.spi;

import eventlog.EventLogEntry;
import eventlog.EventLogEntryBuilder;
import eventlog.EventStatus;
import eventlog.EventType;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads events from JSON objects; fields it does not know are skipped.
 *
 * <p>Safe for use by many threads.
 */
public final class EntryReader {
  /** Texts may be as long as events may be; names and numbers are limited by what is written. */
  private final JsonFactory factory =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .build();

  /** A reader. */
  public EntryReader() {}

  /**
   * Reads one event.
   *
   * @param json an array that holds the JSON object as UTF-8
   * @param from where the object begins
   * @param count how many bytes it has
   * @return the event
   * @throws IllegalArgumentException if there is anything but an event
   */
  public EventLogEntry read(byte[] json, int from, int count) {
    try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), json, from, count)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("an event must be a JSON object but is none");
      }
      EventLogEntryBuilder entry = EventLogEntry.builder();
      for (String name = parser.nextName(); name != null; name = parser.nextName()) {
        parser.nextToken();
        if (!text(entry, name, parser)) {
          other(entry, name, parser);
        }
      }
      if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
        throw new IllegalArgumentException("an event must end with its JSON object");
      }
      return entry.build();
    } catch (JacksonException | DateTimeException e) {
      throw new IllegalArgumentException("an event must be readable: " + e.getMessage(), e);
    }
  }

  private static boolean text(EventLogEntryBuilder entry, String name, JsonParser parser) {
    switch (name) {
      case "correlationId" -> entry.correlationId(string(parser));
      case "accountId" -> entry.accountId(string(parser));
      case "traceId" -> entry.traceId(string(parser));
      case "spanId" -> entry.spanId(string(parser));
      case "parentSpanId" -> entry.parentSpanId(string(parser));
      case "batchId" -> entry.batchId(string(parser));
      case "applicationId" -> entry.applicationId(string(parser));
      case "targetSystem" -> entry.targetSystem(string(parser));
      case "originatingSystem" -> entry.originatingSystem(string(parser));
      case "processName" -> entry.processName(string(parser));
      case "stepName" -> entry.stepName(string(parser));
      case "summary" -> entry.summary(string(parser));
      case "result" -> entry.result(string(parser));
      case "endpoint" -> entry.endpoint(string(parser));
      case "httpMethod" -> entry.httpMethod(string(parser));
      case "errorCode" -> entry.errorCode(string(parser));
      case "errorMessage" -> entry.errorMessage(string(parser));
      case "requestPayload" -> entry.requestPayload(string(parser));
      case "responsePayload" -> entry.responsePayload(string(parser));
      case "idempotencyKey" -> entry.idempotencyKey(string(parser));
      default -> {
        return false;
      }
    }
    return true;
  }

  private static void other(EventLogEntryBuilder entry, String name, JsonParser parser) {
    switch (name) {
      case "spanLinks" -> entry.spanLinks(strings(parser));
      case "stepSequence" -> entry.stepSequence(isNull(parser) ? null : parser.getIntValue());
      case "eventType" -> entry.eventType(isNull(parser) ? null : type(parser));
      case "eventStatus" -> entry.eventStatus(isNull(parser) ? null : status(parser));
      case "identifiers" -> entry.identifiers(map(parser));
      case "metadata" -> entry.metadata(map(parser));
      case "eventTimestamp" ->
          entry.eventTimestamp(isNull(parser) ? null : Instant.parse(parser.getString()));
      case "executionTimeMs" ->
          entry.executionTimeMs(isNull(parser) ? null : parser.getLongValue());
      case "httpStatusCode" -> entry.httpStatusCode(isNull(parser) ? null : parser.getIntValue());
      default -> parser.skipChildren();
    }
  }

  private static EventType type(JsonParser parser) {
    return EventType.valueOf(parser.getString());
  }

  private static EventStatus status(JsonParser parser) {
    return EventStatus.valueOf(parser.getString());
  }

  private static boolean isNull(JsonParser parser) {
    return parser.currentToken() == JsonToken.VALUE_NULL;
  }

  private static @Nullable String string(JsonParser parser) {
    if (isNull(parser)) {
      return null;
    }
    if (!parser.currentToken().isScalarValue()) {
      throw new IllegalArgumentException(
          parser.currentName() + " must be a text but is " + parser.currentToken());
    }
    return parser.getString();
  }

  private static @Nullable List<String> strings(JsonParser parser) {
    return value(parser) instanceof List<?> list
        ? list.stream().map(String::valueOf).toList()
        : null;
  }

  private static @Nullable Map<String, Object> map(JsonParser parser) {
    if (isNull(parser)) {
      return null;
    }
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw new IllegalArgumentException(
          parser.currentName() + " must be an object but is " + parser.currentToken());
    }
    return object(parser);
  }

  @SuppressWarnings("NullAway") // a value may be null, as JSON's may
  private static Map<String, Object> object(JsonParser parser) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      parser.nextToken();
      map.put(name, value(parser));
    }
    return map;
  }

  @SuppressWarnings("NullAway") // a value may be null, as JSON's may
  private static @Nullable Object value(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(parser));
        }
        yield list;
      }
      case VALUE_NUMBER_INT -> parser.getNumberValue();
      case VALUE_NUMBER_FLOAT -> parser.getDecimalValue(); // a double would change its digits
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> parser.getString();
    };
  }
}
