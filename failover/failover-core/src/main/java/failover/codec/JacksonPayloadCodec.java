package failover.codec;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Answers as JSON, written and read by their full declared type.
 *
 * <p>The state of an answer is its fields. Values of sealed types carry a name for which of the
 * permitted types they are of; interfaces that are not sealed need their subtypes {@linkplain
 * #withSubtypes registered}. What does not fit the type exactly is refused rather than guessed.
 * Immutable, safe for use by many threads.
 */
public final class JacksonPayloadCodec implements PayloadCodec {
  private final JsonMapper plain;
  private final Subtypes subtypes;
  private final JsonMapper mapper;

  private JacksonPayloadCodec(JsonMapper plain, Subtypes subtypes) {
    this.plain = plain;
    this.subtypes = subtypes;
    AnnotationIntrospector before = plain.serializationConfig().getAnnotationIntrospector();
    this.mapper =
        plain
            .rebuild()
            .annotationIntrospector(
                AnnotationIntrospector.pair(new KnownSubtypes(subtypes), before))
            .build();
  }

  /** A codec that takes the fields of answers. */
  public static JacksonPayloadCodec create() {
    return of(
        JsonMapper.builder()
            .changeDefaultVisibility(
                visibility ->
                    visibility
                        .withFieldVisibility(JsonAutoDetect.Visibility.ANY)
                        .withGetterVisibility(JsonAutoDetect.Visibility.NONE)
                        .withIsGetterVisibility(JsonAutoDetect.Visibility.NONE))
            .enable(MapperFeature.ALLOW_FINAL_FIELDS_AS_MUTATORS)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
            .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .build());
  }

  /** A codec that writes and reads as the mapper does, apart from subtypes. */
  public static JacksonPayloadCodec of(JsonMapper mapper) {
    return new JacksonPayloadCodec(mapper, new Subtypes(Map.of()));
  }

  /**
   * The same codec, which also knows which types stand behind an open one.
   *
   * @param open an interface or a class
   * @param types its subtypes, of different simple names
   */
  public JacksonPayloadCodec withSubtypes(Class<?> open, Class<?>... types) {
    return new JacksonPayloadCodec(plain, subtypes.with(open, List.of(types)));
  }

  @Override
  public byte[] encode(Object value, Type type) {
    try {
      return mapper.writerFor(mapper.constructType(type)).writeValueAsBytes(value);
    } catch (JacksonException e) {
      throw new CodecException("an answer of %s cannot be encoded".formatted(type), e);
    }
  }

  @Override
  public Object decode(byte[] bytes, Type type) {
    try {
      Object value = mapper.readerFor(mapper.constructType(type)).readValue(bytes);
      if (value == null) {
        throw new IllegalStateException("null is stored as a tombstone, not as bytes");
      }
      return value;
    } catch (JacksonException | IllegalStateException e) {
      throw new CodecException("a stored answer is none of %s".formatted(type), e);
    }
  }

  @Override
  public Optional<String> problem(Type type) {
    return new TypeCheck(subtypes)
        .problem(type)
        .or(() -> new ReadCheck(mapper, subtypes).problem(mapper.constructType(type)));
  }
}
