package failover.codec;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import failover.codec.PayloadCodec.CodecException;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Answers as JSON, written and read by their full declared type.
 *
 * <p>The state of an answer is its fields. Values of sealed types carry a name for which of the
 * permitted types they are of; interfaces that are not sealed need their subtypes {@linkplain
 * #withSubtypes registered}. No class is ever loaded by a name in the data.
 *
 * <p>An answer comes back exactly as it was, or not at all:
 *
 * <ul>
 *   <li>A type that loses something on the way, such as a field with {@code @JsonIgnore}, is
 *       refused at the start.
 *   <li>Bytes are read only if the answer made of them would be written as the same content. Those
 *       of another version of the type, with a field more or less or of another type, are refused.
 *   <li>Types with Jackson annotations that change how values are written, and types of a mapper
 *       {@linkplain #of of your own}, leave a doubt. Their answers are read and compared when they
 *       are written.
 * </ul>
 *
 * <p>Immutable, safe for use by many threads.
 */
public final class JacksonPayloadCodec implements PayloadCodec {
  private final JsonMapper plain;
  private final Subtypes subtypes;
  private final boolean isStateInFields;
  private final JsonMapper mapper;
  private final Map<Type, TypeVerdict> verdicts = new ConcurrentHashMap<>();

  private JacksonPayloadCodec(JsonMapper plain, Subtypes subtypes, boolean isStateInFields) {
    this.plain = plain;
    this.subtypes = subtypes;
    this.isStateInFields = isStateInFields;
    AnnotationIntrospector before = plain.serializationConfig().getAnnotationIntrospector();
    JsonMapper.Builder builder =
        plain
            .rebuild()
            .annotationIntrospector(
                AnnotationIntrospector.pair(new KnownSubtypes(subtypes), before))
            .polymorphicTypeValidator(new NoClassNames());
    this.mapper =
        (isStateInFields ? builder.setDefaultTyping(new ExactClass.Builder()) : builder).build();
  }

  /** A codec that takes the fields of answers. */
  public static JacksonPayloadCodec create() {
    // What is written is not limited, so neither is what is read. Half a surrogate pair has no
    // bytes in UTF-8, and would be written as another character; escaped it comes back, but not
    // from a name (see TextKeys).
    JsonFactory factory =
        JsonFactory.builder()
            .highestNonEscapedChar(Character.MIN_SURROGATE - 1)
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();
    JsonMapper mapper =
        JsonMapper.builder(factory)
            .changeDefaultVisibility(
                visibility ->
                    visibility
                        .withFieldVisibility(JsonAutoDetect.Visibility.ANY)
                        .withGetterVisibility(JsonAutoDetect.Visibility.NONE)
                        .withIsGetterVisibility(JsonAutoDetect.Visibility.NONE)
                        .withSetterVisibility(JsonAutoDetect.Visibility.NONE))
            .enable(MapperFeature.ALLOW_FINAL_FIELDS_AS_MUTATORS)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
            .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .disable(DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID)
            .disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING)
            .disable(EnumFeature.READ_ENUMS_USING_TO_STRING)
            .addAbstractTypeResolver(new SetsInOrder())
            .addModule(new SimpleModule().addKeySerializer(String.class, new TextKeys()))
            .build();
    return new JacksonPayloadCodec(mapper, new Subtypes(Map.of()), true);
  }

  /**
   * A codec that writes and reads as the mapper does, apart from subtypes, and from properties that
   * are left out when they are empty: all of them are written. Every answer is read and compared
   * when it is written, since a mapper can do anything with it.
   *
   * @throws IllegalArgumentException if the mapper has default typing, which writes names of
   *     classes
   */
  public static JacksonPayloadCodec of(JsonMapper mapper) {
    if (mapper.deserializationConfig().getDefaultTyper(mapper.constructType(Object.class))
        != null) {
      throw new IllegalArgumentException(
          "the mapper of JacksonPayloadCodec must have no default typing but has: it stores names"
              + " of classes, and none is ever loaded; deactivate it, and register subtypes with"
              + " withSubtypes");
    }
    return new JacksonPayloadCodec(mapper, new Subtypes(Map.of()), false);
  }

  /**
   * The same codec, which also knows which types stand behind an open one.
   *
   * @param open an interface or a class
   * @param types its subtypes, of different simple names
   */
  public JacksonPayloadCodec withSubtypes(Class<?> open, Class<?>... types) {
    return new JacksonPayloadCodec(plain, subtypes.with(open, List.of(types)), isStateInFields);
  }

  @Override
  public byte[] encode(Object value, Type type) {
    byte[] bytes = write(value, type);
    if (!verdict(type).isExact()) {
      Object read = decode(bytes, type);
      new SameValue()
          .difference(value, read, "")
          .ifPresent(
              where -> {
                throw new CodecException(
                    "an answer of %s would not come back as it is: %s differs"
                        .formatted(type.getTypeName(), where.isEmpty() ? "it" : where));
              });
    }
    return bytes;
  }

  private byte[] write(Object value, Type type) {
    try {
      return mapper.writerFor(mapper.constructType(type)).writeValueAsBytes(value);
    } catch (JacksonException e) {
      throw new CodecException(
          "an answer of %s cannot be encoded%s".formatted(type.getTypeName(), reason(e)), e);
    }
  }

  /** What is wrong with a type; other messages may quote an answer. */
  private static String reason(JacksonException e) {
    return e instanceof InvalidDefinitionException ? ": " + e.getOriginalMessage() : "";
  }

  @Override
  public Object decode(byte[] bytes, Type type) {
    Object value = decodeOwn(bytes, type);
    if (!JsonContent.isSame(mapper, bytes, write(value, type))) {
      throw new CodecException(
          "a stored answer is none of %s: it was written by another version of the type, and would be read as something else"
              .formatted(type.getTypeName()));
    }
    return value;
  }

  @Override
  public Object decodeOwn(byte[] bytes, Type type) {
    try {
      Object value = mapper.readerFor(mapper.constructType(type)).readValue(bytes);
      if (value == null) {
        throw new IllegalStateException("null is stored as a tombstone, not as bytes");
      }
      return value;
    } catch (JacksonException | IllegalStateException e) {
      throw new CodecException("a stored answer is none of %s".formatted(type.getTypeName()), e);
    }
  }

  @Override
  public boolean isExact(Type type) {
    return verdict(type).isExact();
  }

  @Override
  public Optional<String> problem(Type type) {
    return verdict(type).problem();
  }

  private TypeVerdict verdict(Type type) {
    TypeVerdict known = verdicts.get(type);
    if (known == null) {
      known = new TypeCheck(mapper, subtypes, isStateInFields).of(mapper.constructType(type));
      verdicts.put(type, known);
    }
    return known;
  }
}
