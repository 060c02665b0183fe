package failover.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import failover.Referential;
import failover.TypeRef;
import failover.codec.PayloadCodec.CodecException;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JacksonPayloadCodecTest {
  private final JacksonPayloadCodec codec = JacksonPayloadCodec.create();

  record Price(String sku, BigDecimal amount, Instant since) {}

  sealed interface Shape permits Circle, Square, Nested {}

  record Circle(double radius) implements Shape {}

  record Square(double side) implements Shape {}

  sealed interface Nested extends Shape permits Deep {}

  record Deep(Shape inner) implements Nested {}

  interface Open {}

  record First(int a) implements Open {}

  record Second(int a) implements Open {}

  record Holder(Open open) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  static class Loader {}

  static final class Country extends Referential {
    private static final long serialVersionUID = 1;
    private String name = "";
    private final List<String> cities = new ArrayList<>();
  }

  private <T> Object roundTrip(Object value, TypeRef<T> type) {
    return codec.decode(codec.encode(value, type.type()), type.type());
  }

  @Test
  void elementsComeBackWithTheirTypes() {
    Price price =
        new Price("a", new BigDecimal("1.10"), Instant.parse("2026-01-01T00:00:00.123456789Z"));
    assertThat(roundTrip(price, new TypeRef<Price>() {})).isEqualTo(price);
    assertThat(roundTrip(List.of(price), new TypeRef<List<Price>>() {})).isEqualTo(List.of(price));
    assertThat(roundTrip(Optional.of(price), new TypeRef<Optional<Price>>() {}))
        .isEqualTo(Optional.of(price));
    assertThat(roundTrip(Optional.empty(), new TypeRef<Optional<Price>>() {}))
        .isEqualTo(Optional.empty());
    assertThat(
            roundTrip(
                Map.of(Instant.EPOCH, List.of(price)), new TypeRef<Map<Instant, List<Price>>>() {}))
        .isEqualTo(Map.of(Instant.EPOCH, List.of(price)));
  }

  @Test
  void sealedTypesComeBackAsWhatTheyWere() {
    List<Shape> shapes = List.of(new Circle(1), new Square(1), new Deep(new Circle(2)));
    assertThat(roundTrip(shapes, new TypeRef<List<Shape>>() {})).isEqualTo(shapes);
    assertThat(roundTrip(new Circle(3), new TypeRef<Shape>() {})).isEqualTo(new Circle(3));
    assertThat(roundTrip(new Circle(3), new TypeRef<Circle>() {})).isEqualTo(new Circle(3));
  }

  @Test
  void anOpenInterfaceNeedsItsSubtypes() {
    for (Type type :
        List.of(
            Open.class,
            Holder.class,
            Object.class,
            new TypeRef<List<? extends Open>>() {}.type(),
            new TypeRef<Map<String, Open[]>>() {}.type())) {
      assertThat(codec.problem(type)).as(type.toString()).get().asString().contains("withSubtypes");
    }
    JacksonPayloadCodec knowing = codec.withSubtypes(Open.class, First.class, Second.class);
    assertThat(knowing.problem(Holder.class)).isEmpty();
    Holder holder = new Holder(new Second(1));
    assertThat(knowing.decode(knowing.encode(holder, Holder.class), Holder.class))
        .isEqualTo(holder);
  }

  @Test
  void ordinaryTypesHaveNoProblem() {
    for (Type type :
        List.of(
            String.class,
            int.class,
            Price.class,
            Shape.class,
            Country.class,
            new TypeRef<Map<String, Optional<List<Price>>>>() {}.type())) {
      assertThat(codec.problem(type)).as(type.toString()).isEmpty();
    }
  }

  @Test
  void namesOfClassesAreNeverRead() {
    assertThat(codec.problem(Loader.class)).get().asString().contains("@JsonTypeInfo");
    byte[] evil =
        "{\"@type\":\"java.util.ArrayList\",\"radius\":1}".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> codec.decode(evil, Shape.class)).isInstanceOf(CodecException.class);
  }

  @Test
  void whatDoesNotFitIsRefused() {
    for (String bytes : List.of("", "null", "[]", "{\"other\":1}", "{\"radius\":1}}", "\u0000")) {
      assertThatThrownBy(() -> codec.decode(bytes.getBytes(StandardCharsets.UTF_8), Circle.class))
          .as(bytes)
          .isInstanceOf(CodecException.class);
    }
  }

  @Test
  void beansAreTheirFieldsWithoutTheirAge() {
    Country country = new Country();
    country.name = "Malta";
    country.cities.add("Valletta");
    country.refer(true, Instant.EPOCH, new failover.Referential.Metadata());
    byte[] bytes = codec.encode(country, Country.class);
    country.cities.add("Sliema");
    assertThat(new String(bytes, StandardCharsets.UTF_8))
        .isEqualTo("{\"cities\":[\"Valletta\"],\"name\":\"Malta\"}");
    Country copy = (Country) codec.decode(bytes, Country.class);
    assertThat(copy.name).isEqualTo("Malta");
    assertThat(copy.cities).containsExactly("Valletta");
    assertThat(copy.upToDate()).isNull();
  }

  record Times(ZonedDateTime zoned, OffsetDateTime offset) {}

  @Test
  void timesComeBackInTheirZones() {
    Times times =
        new Times(
            ZonedDateTime.parse("2026-01-01T10:00:00+01:00[Europe/Paris]"),
            OffsetDateTime.parse("2026-01-01T10:00:00+02:00"));
    assertThat(roundTrip(times, new TypeRef<Times>() {})).isEqualTo(times);
  }
}
