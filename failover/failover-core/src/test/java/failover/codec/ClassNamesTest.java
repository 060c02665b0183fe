package failover.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import failover.TypeRef;
import failover.codec.PayloadCodec.CodecException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.annotation.JsonTypeIdResolver;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import tools.jackson.databind.jsontype.impl.TypeIdResolverBase;

/** No class is ever loaded by a name in data, wherever a type would have it so. */
class ClassNamesTest {
  private final JacksonPayloadCodec codec = JacksonPayloadCodec.create();

  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  static class Loader {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS)
  interface LoaderBelow {}

  static class OfLoader implements LoaderBelow {}

  static class Plain {
    String name = "";
  }

  record OnComponent(@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Plain kind) {}

  record OnOpenComponent(@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Object kind) {}

  static class OnField {
    @JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS)
    Plain kind = new Plain();
  }

  record OnElements(@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) List<Plain> kinds) {}

  record OnValues(@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Map<String, Plain> kinds) {}

  record OnOptional(@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Optional<Plain> kind) {}

  record OfClass(Class<?> kind) {}

  record Line(int number, OnComponent kind) {}

  record Order(String id, List<Line> lines) {}

  record Box<T>(T content) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes(@JsonSubTypes.Type(value = Named.class, name = "named"))
  interface Open {}

  record Named(Class<?> type) implements Open {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.CUSTOM)
  @JsonTypeIdResolver(ByHand.class)
  static class Custom {}

  static final class ByHand extends TypeIdResolverBase {
    private static final long serialVersionUID = 1;

    @Override
    public String idFromValue(DatabindContext context, Object value) {
      return value.getClass().getName();
    }

    @Override
    public String idFromValueAndType(DatabindContext context, Object value, Class<?> type) {
      return type.getName();
    }

    @Override
    public JavaType typeFromId(DatabindContext context, String id) {
      throw new IllegalStateException("a class must never be asked for but was: " + id);
    }

    @Override
    public JsonTypeInfo.Id getMechanism() {
      return JsonTypeInfo.Id.CUSTOM;
    }
  }

  @Test
  void aTypeThatWouldLoadClassesIsRefusedWherever() {
    for (Type type :
        List.of(
            Loader.class,
            LoaderBelow.class,
            OfLoader.class,
            OnComponent.class,
            OnOpenComponent.class,
            OnField.class,
            OnElements.class,
            OnValues.class,
            OnOptional.class,
            OfClass.class,
            Order.class,
            Open.class,
            Custom.class,
            Class.class,
            new TypeRef<List<Class<?>>>() {}.type(),
            new TypeRef<Map<Class<?>, String>>() {}.type(),
            new TypeRef<Map<String, List<Loader>>>() {}.type(),
            new TypeRef<Box<Optional<Loader[]>>>() {}.type(),
            new TypeRef<Box<Class<?>>>() {}.type())) {
      assertThat(codec.problem(type)).as(type.getTypeName()).isPresent();
    }
  }

  @Test
  void theRefusalSaysWhere() {
    assertThat(codec.problem(Order.class)).get().asString().contains("(Order.lines[].kind.kind)");
    assertThat(codec.problem(OnElements.class)).get().asString().contains("(OnElements.kinds[])");
    assertThat(codec.problem(OfClass.class))
        .get()
        .asString()
        .isEqualTo(
            "java.lang.Class (OfClass.kind) must not be stored: a class would be loaded by a name in"
                + " the data; keep the name itself, as a String");
    assertThat(codec.problem(new TypeRef<List<Loader>>() {}.type()))
        .get()
        .asString()
        .contains("(List<Loader>[])");
  }

  @Test
  void aMapperWithDefaultTypingIsRefused() {
    JsonMapper typing =
        JsonMapper.builder()
            .activateDefaultTyping(
                BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build(),
                DefaultTyping.NON_FINAL)
            .build();
    assertThatThrownBy(() -> JacksonPayloadCodec.of(typing))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("default typing")
        .hasMessageContaining("withSubtypes");
  }

  @Test
  void neitherIsOneLoadedByWhatTheCheckWasNotAskedAbout() {
    String map = "{\"kind\":{\"@class\":\"java.util.LinkedHashMap\",\"a\":1}}";
    String plain = "{\"kind\":{\"@class\":\"%s\",\"name\":\"a\"}}".formatted(Plain.class.getName());
    for (JacksonPayloadCodec each : List.of(codec, JacksonPayloadCodec.of(JsonMapper.shared()))) {
      assertThatThrownBy(
              () -> each.decodeOwn(map.getBytes(StandardCharsets.UTF_8), OnOpenComponent.class))
          .isInstanceOf(CodecException.class);
      assertThatThrownBy(
              () -> each.decodeOwn(plain.getBytes(StandardCharsets.UTF_8), OnComponent.class))
          .isInstanceOf(CodecException.class);
    }
  }
}
