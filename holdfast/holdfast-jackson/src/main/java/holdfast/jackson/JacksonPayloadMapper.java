package holdfast.jackson;

import holdfast.payload.PayloadException;
import holdfast.payload.PayloadMapper;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Payloads as JSON, by Jackson. Fields that a class does not have are ignored; a field that a
 * payload does not have is null, and fails if it is of a primitive type. Immutable, safe for use by
 * many threads.
 */
public final class JacksonPayloadMapper implements PayloadMapper {
  private final JsonMapper mapper;

  /** A mapper with Jackson's defaults. */
  public JacksonPayloadMapper() {
    this(JsonMapper.shared());
  }

  /**
   * A mapper with the settings of another one, except that it ignores unknown fields and neither
   * writes nor reads names of classes for values of open types.
   *
   * @param mapper the mapper whose settings are copied
   */
  public JacksonPayloadMapper(JsonMapper mapper) {
    this.mapper =
        mapper
            .rebuild()
            .deactivateDefaultTyping()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
  }

  @Override
  public String write(Object payload) {
    try {
      return mapper.writeValueAsString(payload);
    } catch (JacksonException e) {
      throw new PayloadException(
          "%s cannot be written as JSON: Jackson cannot write %s"
              .formatted(payload.getClass().getName(), Reasons.field(e)),
          e);
    }
  }

  @Override
  public <P> P read(String json, Class<P> type) {
    P payload;
    try {
      payload = mapper.readValue(json, type);
    } catch (JacksonException e) {
      // Without it as a cause: its message has parts of the data.
      throw unreadable(type, Reasons.of(e));
    }
    if (payload == null) {
      throw unreadable(type, "it is null");
    }
    return payload;
  }

  private static PayloadException unreadable(Class<?> type, String reason) {
    return new PayloadException(
        "payload cannot be read as %s: %s; correct the class or the publisher, then deliver the event again"
            .formatted(type.getName(), reason));
  }
}
