package eventlog.spi;

import java.io.StringWriter;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Masks fields in JSON text. Safe for use by many threads. */
final class TextRedaction {
  private static final JsonFactory FACTORY = new JsonFactory();

  /** How often JSON may be the text of a value in JSON. */
  private static final int MOST_LEVELS = 20;

  private final FieldNames names;

  TextRedaction(FieldNames names) {
    this.names = names;
  }

  /**
   * A payload, which may be anything: in a text of another format a name is taken for a field,
   * however it is escaped.
   */
  String payload(String text) {
    if (isLikeJson(text) || text.stripLeading().startsWith("\"")) {
      return json(text, 0);
    }
    String plain = Escapes.undone(text);
    return names.occurIn(text) || names.occurIn(plain) ? Redaction.MASK : text;
  }

  /** The text of a value: JSON, or for people to read, who may well write about a password. */
  String value(String text) {
    return value(text, 0);
  }

  private String value(String text, int level) {
    return isLikeJson(text) ? json(text, level) : text;
  }

  private static boolean isLikeJson(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isWhitespace(c)) {
        return c == '{' || c == '[';
      }
    }
    return false;
  }

  /** What cannot be read to its end is masked as a whole: nobody knows what its fields are. */
  private String json(String text, int level) {
    if (!names.mayOccurIn(text)) {
      return text;
    }
    if (level > MOST_LEVELS) {
      return Redaction.MASK;
    }
    StringWriter redacted = new StringWriter(text.length());
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text);
        JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), redacted)) {
      while (parser.nextToken() != null) {
        copy(parser, out, level);
      }
    } catch (JacksonException e) {
      return Redaction.MASK;
    }
    return redacted.toString();
  }

  private void copy(JsonParser parser, JsonGenerator out, int level) {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      out.writeString(value(parser.getString(), level + 1));
      return;
    }
    out.copyCurrentEventExact(parser);
    if (parser.currentToken() == JsonToken.PROPERTY_NAME && names.has(parser.currentName())) {
      if (parser.nextToken() == JsonToken.VALUE_NULL) {
        out.writeNull();
      } else {
        parser.skipChildren();
        out.writeString(Redaction.MASK);
      }
    }
  }
}
