package failover.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import failover.TypeRef;
import failover.codec.PayloadCodec.CodecException;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** An answer comes back as it was, or not at all: nothing is guessed. */
class ExactAnswersTest {
  private final JacksonPayloadCodec codec = JacksonPayloadCodec.create();

  record Was(String sku) {}

  record WithNote(String sku, String note) {}

  record WithOptional(String sku, Optional<String> note) {}

  static class Bean {
    String sku = "";
  }

  static class LargerBean {
    String sku = "";
    String currency = "EUR";
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Sparse(String sku, String note) {}

  record InDouble(double amount) {}

  record InLong(long amount) {}

  record InInt(int amount) {}

  record InText(String amount) {}

  record InInstant(Instant amount) {}

  record InDate(LocalDate amount) {}

  record InDuration(Duration amount) {}

  record InBoolean(boolean amount) {}

  record InDecimal(BigDecimal amount) {}

  record InSize(Size amount) {}

  record InList(List<Long> amount) {}

  record Nullable(Integer amount) {}

  enum Size {
    SMALL,
    LARGE;

    @Override
    public String toString() {
      return "a size";
    }
  }

  private void refused(Object stored, Class<?> newType) {
    byte[] bytes = codec.encode(stored, stored.getClass());
    assertThatThrownBy(() -> codec.decode(bytes, newType))
        .as("%s as %s", stored, newType.getSimpleName())
        .isInstanceOf(CodecException.class);
  }

  @Test
  void anAnswerThatLacksAComponentIsRefused() {
    refused(new Was("a"), WithNote.class);
    refused(new Was("a"), WithOptional.class);
    refused(new Was("a"), Sparse.class);
    refused(new Bean(), LargerBean.class);
  }

  @Test
  void anAnswerWithAComponentMoreIsRefused() {
    refused(new WithNote("a", "b"), Was.class);
    refused(new LargerBean(), Bean.class);
  }

  @Test
  void aComponentOfAnotherTypeIsRefused() {
    refused(new InDouble(12.99), InLong.class);
    refused(new InDouble(12.0), InLong.class);
    refused(new InInt(1), InSize.class);
    refused(new InInt(1), InBoolean.class);
    refused(new InInt(1), InText.class);
    refused(new InInt(1), InDouble.class);
    refused(new InLong(1_700_000_000), InInstant.class);
    refused(new InLong(1), InDate.class);
    refused(new InLong(1), InDuration.class);
    refused(new InLong(1), InList.class);
    refused(new InLong(1L << 40), InInt.class);
    refused(new InText("1"), InInt.class);
    refused(new InText(""), InSize.class);
    refused(new InText(" 1.10 "), InDecimal.class);
    refused(new InText("true"), InBoolean.class);
    refused(new Nullable(null), InInt.class);
    refused(new InDecimal(new BigDecimal("1.10")), InDouble.class);
  }

  static class Animal {
    String name = "";
  }

  static class Dog extends Animal {}

  static class Loud extends Animal {
    int decibels;
  }

  record Cage(Animal animal) {}

  sealed interface Answer permits Yes, Maybe {}

  record Yes(int a) implements Answer {}

  static non-sealed class Maybe implements Answer {}

  static class Perhaps extends Maybe {}

  @Test
  void aValueOfASubclassIsNotWritten() {
    for (Animal value : List.of(new Dog(), new Loud(), new Animal() {})) {
      assertThatThrownBy(() -> codec.encode(value, Animal.class))
          .isInstanceOf(CodecException.class)
          .rootCause()
          .hasMessageContaining("a value declared as " + Animal.class.getName())
          .hasMessageContaining("withSubtypes");
      assertThatThrownBy(() -> codec.encode(new Cage(value), Cage.class))
          .isInstanceOf(CodecException.class);
      Type list = new TypeRef<List<Animal>>() {}.type();
      assertThatThrownBy(() -> codec.encode(List.of(value), list))
          .isInstanceOf(CodecException.class);
      Type map = new TypeRef<Map<String, Animal[]>>() {}.type();
      assertThatThrownBy(() -> codec.encode(Map.of("a", new Animal[] {value}), map))
          .isInstanceOf(CodecException.class);
    }
    assertThatThrownBy(() -> codec.encode(new Perhaps(), Answer.class))
        .isInstanceOf(CodecException.class)
        .rootCause()
        .hasMessageContaining("none of the known subtypes");
    assertThat(codec.isExact(Cage.class)).as("without a comparison").isTrue();
  }

  @Test
  void subclassesThatAreRegisteredComeBack() {
    JacksonPayloadCodec knowing = codec.withSubtypes(Animal.class, Dog.class, Loud.class);
    for (Animal value : List.of(new Animal(), new Dog(), new Loud())) {
      Object read = knowing.decode(knowing.encode(new Cage(value), Cage.class), Cage.class);
      assertThat(((Cage) read).animal()).hasSameClassAs(value);
    }
  }

  record Ignoring(String sku, @JsonIgnore String secret) {}

  record WriteOnly(
      String sku, @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String secret) {}

  record ReadOnly(
      String sku, @JsonProperty(access = JsonProperty.Access.READ_ONLY) String secret) {}

  @JsonIgnoreProperties("secret")
  record IgnoringByName(String sku, String secret) {}

  static class IgnoringBean {
    String sku = "";
    @JsonIgnore String secret = "";
  }

  static class Hiding extends Animal {
    private String name = "hides that of the animal";

    String name() {
      return name;
    }
  }

  static class Tagged extends ArrayList<String> {
    private static final long serialVersionUID = 1;
    String tag = "";
  }

  record Holder(List<Map<String, Optional<Ignoring>>> all) {}

  @Test
  void aTypeThatLosesSomethingIsRefusedAtTheStart() {
    for (Type type :
        List.of(
            Ignoring.class,
            WriteOnly.class,
            ReadOnly.class,
            IgnoringByName.class,
            IgnoringBean.class,
            Holder.class,
            Hiding.class,
            Tagged.class,
            new TypeRef<Optional<Optional<String>>>() {}.type())) {
      assertThat(codec.problem(type)).as(type.getTypeName()).isPresent();
    }
    assertThat(codec.problem(Holder.class))
        .get()
        .asString()
        .contains("(Holder.all[][].secret)", "@JsonIgnore", "transient");
  }

  static class WithCache {
    String sku = "";
    transient int hash = 7;
  }

  @Test
  void aTransientFieldIsNoPartOfTheAnswer() {
    assertThat(codec.problem(WithCache.class)).isEmpty();
  }

  record Keyed(String text) {}

  record Sku(@JsonValue String text) {
    @JsonCreator
    static Sku of(String text) {
      return new Sku(text);
    }
  }

  static class Legible {
    private final String text;

    public Legible(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  @Test
  void aMapWhoseKeysCannotBeReadIsRefusedAtTheStart() {
    for (Type type :
        List.of(
            new TypeRef<Map<Keyed, String>>() {}.type(),
            new TypeRef<Map<Legible, String>>() {}.type(),
            new TypeRef<Map<Object, String>>() {}.type(),
            new TypeRef<Map<List<String>, String>>() {}.type())) {
      assertThat(codec.problem(type))
          .as(type.getTypeName())
          .get()
          .asString()
          .contains("must not be the key of a map");
    }
    for (Type type :
        List.of(
            new TypeRef<Map<Size, String>>() {}.type(),
            new TypeRef<Map<UUID, String>>() {}.type(),
            new TypeRef<Map<Integer, String>>() {}.type(),
            new TypeRef<Map<LocalDate, String>>() {}.type(),
            new TypeRef<Map<Sku, String>>() {}.type())) {
      assertThat(codec.problem(type)).as(type.getTypeName()).isEmpty();
    }
    Type bySku = new TypeRef<Map<Sku, String>>() {}.type();
    Map<Sku, String> skus = Map.of(new Sku("a"), "b");
    assertThat(codec.decode(codec.encode(skus, bySku), bySku)).isEqualTo(skus);
  }

  private void comesBack(Object value, Type type) {
    assertThat(codec.problem(type)).as(type.getTypeName()).isEmpty();
    assertThat(codec.decode(codec.encode(value, type), type)).isEqualTo(value);
  }

  record DayOnly(@JsonFormat(pattern = "MM-dd HH:mm", timezone = "UTC") LocalDateTime at) {}

  record Place(Locale locale) {}

  record Counted(AtomicInteger counter) {}

  record Any(Number number) {}

  record Sorted(SortedMap<String, Integer> map) {}

  private void isNotWritten(Object value, Type type) {
    assertThatThrownBy(() -> codec.encode(value, type))
        .as("%s", value)
        .isInstanceOf(CodecException.class);
  }

  @Test
  void whatLeavesADoubtIsReadAndComparedWhenItIsWritten() {
    for (Class<?> type :
        List.of(DayOnly.class, Place.class, Counted.class, Any.class, Sorted.class)) {
      assertThat(codec.isExact(type)).as(type.getSimpleName()).isFalse();
    }
    isNotWritten(new DayOnly(LocalDateTime.of(2026, 1, 2, 3, 4)), DayOnly.class);
    isNotWritten(new Any(1L), Any.class);
    isNotWritten(new Any(new BigDecimal("1.10")), Any.class);
    isNotWritten(new Sorted(new TreeMap<>(Comparator.<String>reverseOrder())), Sorted.class);
    comesBack(new Place(Locale.GERMANY), Place.class);
    comesBack(new Any(1), Any.class);
    comesBack(new Sorted(new TreeMap<>(Map.of("a", 1))), Sorted.class);
    codec.encode(new Counted(new AtomicInteger(3)), Counted.class);
  }

  @Test
  void aMapperOfTheApplicationIsNotTrustedEither() {
    JacksonPayloadCodec own = JacksonPayloadCodec.of(JsonMapper.shared());
    assertThat(own.isExact(Was.class)).isFalse();
    byte[] stored = own.encode(new Was("a"), Was.class);
    assertThat(own.decode(stored, Was.class)).isEqualTo(new Was("a"));
    assertThatThrownBy(() -> own.decode(stored, WithNote.class)).isInstanceOf(CodecException.class);
    byte[] price = own.encode(new InDouble(12.99), InDouble.class);
    assertThatThrownBy(() -> own.decode(price, InLong.class)).isInstanceOf(CodecException.class);
    assertThatThrownBy(() -> own.encode(new Dog(), Animal.class))
        .isInstanceOf(CodecException.class);
    assertThatThrownBy(() -> own.encode(new Ignoring("a", "b"), Ignoring.class))
        .isInstanceOf(CodecException.class);
    BigInteger large = BigInteger.ONE.shiftLeft(4_095);
    assertThatThrownBy(() -> own.encode(large, BigInteger.class))
        .isInstanceOf(CodecException.class);
  }
}
