package failover.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import failover.TypeRef;
import failover.codec.PayloadCodec.CodecException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator.Validity;

/** Which types are known to come back, and which are compared when they are written. */
class ExactTypesTest {
  private final JacksonPayloadCodec codec = JacksonPayloadCodec.create();

  enum Size {
    SMALL
  }

  enum Renamed {
    @JsonFormat
    SMALL
  }

  record Plain(String name) {}

  static class Bean {
    String name = "";
  }

  sealed interface Shape permits Circle {}

  record Circle(double radius) implements Shape {}

  sealed interface Reply<T> permits Found {}

  record Found<T>(T value) implements Reply<T> {}

  static class Box<T> {
    T content;
  }

  record Page<T>(List<T> items) {}

  static class Created {
    private final String name;

    @JsonCreator
    Created(@JsonProperty("name") String name) {
      this.name = name;
    }

    String name() {
      return name;
    }
  }

  static class Computed {
    private String name = "";

    @JsonProperty("name")
    String shown() {
      return name + "!";
    }
  }

  record DoubtAndOptional(Number a, Optional<String> b) {}

  record DoubtAndList(Number a, List<String> b) {}

  record DoubtAndPlain(Number a, Plain b) {}

  record DoubtAndShape(Number a, Shape b) {}

  record DoubtAndValue(Number a, String b) {}

  record Tree(String name, List<Tree> children) {}

  @Test
  void typesThatAreKnownToComeBack() {
    for (Type type :
        List.of(
            int.class,
            String.class,
            Instant.class,
            Date.class,
            Size.class,
            byte[].class,
            String[].class,
            Plain.class,
            Bean.class,
            Shape.class,
            new TypeRef<List<Plain>>() {}.type(),
            new TypeRef<HashSet<Shape>>() {}.type(),
            new TypeRef<LinkedHashMap<Size, Optional<Bean>>>() {}.type(),
            new TypeRef<Page<Bean>>() {}.type())) {
      assertThat(codec.isExact(type)).as(type.getTypeName()).isTrue();
    }
  }

  @Test
  void typesThatLeaveADoubt() {
    for (Type type :
        List.of(
            Number.class,
            Renamed.class,
            Created.class,
            Computed.class,
            Tree.class,
            IllegalStateException.class,
            Class.class,
            DoubtAndOptional.class,
            DoubtAndList.class,
            DoubtAndPlain.class,
            DoubtAndShape.class,
            DoubtAndValue.class,
            new TypeRef<TreeSet<String>>() {}.type(),
            new TypeRef<Set<String>>() {}.type(), // which may have a comparator
            new TypeRef<Map<String, String>>() {}.type(),
            new TypeRef<Collection<String>>() {}.type(), // which may be a set
            new TypeRef<AtomicReference<String>>() {}.type(),
            new TypeRef<Reply<String>>() {}.type(),
            new TypeRef<Box<String>>() {}.type(),
            new TypeRef<Map<Renamed, String>>() {}.type())) {
      assertThat(codec.isExact(type)).as(type.getTypeName()).isFalse();
    }
    assertThat(ExactTypes.haveValue(Clock.class)).isFalse();
    assertThat(JacksonPayloadCodec.of(JsonMapper.shared()).isExact(String.class)).isFalse();
  }

  @Test
  void aDifferenceIsNamedWithItsPlace() {
    assertThatThrownBy(() -> codec.encode(1L, Number.class))
        .hasMessageContaining("java.lang.Number would not come back as it is: it differs");
    assertThatThrownBy(() -> codec.encode(new DoubtAndList(1L, List.of()), DoubtAndList.class))
        .hasMessageContaining(": .a differs");
    Computed computed = new Computed();
    assertThatThrownBy(() -> codec.encode(computed, Computed.class))
        .isInstanceOf(CodecException.class);
  }

  record Chain(String link, Chain next) {}

  @Test
  void messagesNameTypesButDoNotQuoteAnswers() {
    Chain secret = new Chain("secret", null);
    for (int i = 0; i < 1_000; i++) { // deeper than JSON may be
      secret = new Chain("secret", secret);
    }
    Chain chain = secret;
    assertThatThrownBy(() -> codec.encode(chain, Chain.class))
        .hasMessage("an answer of %s cannot be encoded".formatted(Chain.class.getName()));
    byte[] number = "{\"name\":{}}".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> codec.decode(number, Plain.class))
        .hasMessage("a stored answer is none of %s".formatted(Plain.class.getName()));
    assertThatThrownBy(() -> codec.encode(new Bean() {}, Bean.class))
        .hasMessageContaining("cannot be encoded: a value declared as " + Bean.class.getName());
    byte[] unknown = "{\"@type\":\"Square\"}".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> codec.decode(unknown, Shape.class))
        .cause()
        .hasMessageContaining("[Circle]");
  }

  static class ByHand {
    @JsonSerialize(using = BeanWriter.class)
    @JsonDeserialize(using = BeanReader.class)
    Bean bean = new Bean();

    @JsonSerialize(using = BeanWriter.class)
    @JsonDeserialize(using = BeanReader.class)
    Bean other = new Bean();
  }

  static class BeanWriter extends ValueSerializer<Bean> {
    @Override
    public void serialize(Bean value, JsonGenerator out, SerializationContext context) {
      out.writeString(value.name);
    }
  }

  static class BeanReader extends ValueDeserializer<Bean> {
    @Override
    public Bean deserialize(JsonParser in, DeserializationContext context) {
      Bean bean = new Bean();
      bean.name = in.getString();
      return bean;
    }
  }

  @Test
  void whatIsWrittenByHandIsReadByHand() {
    ByHand value = new ByHand();
    value.bean.name = "a";
    byte[] bytes = codec.encode(value, ByHand.class);
    assertThat(new String(bytes, StandardCharsets.UTF_8))
        .isEqualTo("{\"bean\":\"a\",\"other\":\"\"}");
    assertThat(((ByHand) codec.decode(bytes, ByHand.class)).bean.name).isEqualTo("a");
  }

  @Test
  void everyClassNamedInDataIsDenied() {
    NoClassNames none = new NoClassNames();
    assertThat(none.validateBaseType(null, null)).isEqualTo(Validity.INDETERMINATE);
    assertThat(none.validateSubClassName(null, null, "a.Type")).isEqualTo(Validity.DENIED);
    assertThat(none.validateSubType(null, null, null)).isEqualTo(Validity.DENIED);
  }

  @Test
  void aCodecThatSaysNothingIsTakenAtItsLeast() {
    PayloadCodec texts =
        new PayloadCodec() {
          @Override
          public byte[] encode(Object value, Type type) {
            return value.toString().getBytes(StandardCharsets.UTF_8);
          }

          @Override
          public Object decode(byte[] bytes, Type type) {
            return new String(bytes, StandardCharsets.UTF_8);
          }

          @Override
          public Optional<String> problem(Type type) {
            return Optional.empty();
          }
        };
    assertThat(texts.isExact(String.class)).isFalse();
    assertThat(texts.decodeOwn(texts.encode("a", String.class), String.class)).isEqualTo("a");
  }
}
