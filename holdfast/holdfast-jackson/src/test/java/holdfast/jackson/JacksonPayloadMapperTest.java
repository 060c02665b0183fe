package holdfast.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.payload.PayloadException;
import holdfast.payload.PayloadMapper;
import holdfast.payload.PayloadType;
import holdfast.payload.Payloads;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

class JacksonPayloadMapperTest {
  private static final PayloadMapper MAPPER = new JacksonPayloadMapper();

  private record Line(String item, int count) {}

  @PayloadType("OrderPlaced")
  private record Order(
      long id,
      @Nullable Instant placedAt,
      @Nullable List<Line> lines,
      @Nullable Map<String, Integer> prices) {}

  private record Percent(int value) {
    Percent {
      if (value > 100) {
        throw new IllegalArgumentException("secret " + value);
      }
    }
  }

  private record Open(Object value) {}

  private record Renamed(int firstName) {}

  private record Unwritable(String name) {
    @SuppressWarnings("unused") // Jackson calls it
    public String getSecret() {
      throw new IllegalStateException("no");
    }
  }

  /** No constructor that Jackson could use. */
  private interface Shape {}

  @Test
  void whatIsWrittenIsReadBack() {
    Order order =
        new Order(
            7,
            Instant.parse("2026-01-02T03:04:05.678901Z"),
            List.of(new Line("\"tea\" \u00e9 \uD83D\uDE00", 2)),
            Map.of("tea", 350));

    assertThat(MAPPER.read(MAPPER.write(order), Order.class)).isEqualTo(order);
  }

  @Test
  void fieldsThatTheClassDoesNotHaveAreIgnored() {
    assertThat(MAPPER.read("{\"item\":\"tea\",\"count\":2,\"new\":{\"a\":[1]}}", Line.class))
        .isEqualTo(new Line("tea", 2));
  }

  @Test
  void fieldsThatThePayloadDoesNotHaveAreNull() {
    assertThat(MAPPER.read("{\"id\":7}", Order.class)).isEqualTo(new Order(7, null, null, null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"id\":\"secret\"}|field id is no long",
        "{\"placedAt\":\"secret\"}|field placedAt is no java.time.Instant",
        "{\"id\":1,\"lines\":[{\"item\":\"a\",\"count\":1},{\"item\":\"secret\",\"count\":\"secret\"}]}"
            + "|field lines[1].count is no int",
        "{\"id\":1,\"prices\":{\"secret\":\"secret\"}}|field prices[key] is no java.lang.Integer",
        "[\"secret\"]|the payload is no holdfast.jackson.JacksonPayloadMapperTest$Order",
        "secret|it is not JSON at line 1, column 1",
        "{\"id\":1|it is not JSON at line 1, column 8",
        "{\"id\":1} secret|it is not JSON at line 1, column 10",
        "null|it is null",
        "~~|the payload is no holdfast.jackson.JacksonPayloadMapperTest$Order",
      })
  void anUnreadablePayloadIsRefusedWithTheFieldAndWithoutTheData(String json, String reason) {
    assertThatThrownBy(() -> MAPPER.read(json, Order.class))
        .isInstanceOf(PayloadException.class)
        .hasMessage(
            "payload cannot be read as holdfast.jackson.JacksonPayloadMapperTest$Order: "
                + reason
                + "; correct the class or the publisher, then deliver the event again")
        .hasNoCause();
  }

  @Test
  void aConstructorThatRefusesIsNamedWithoutTheData() {
    assertThatThrownBy(() -> MAPPER.read("{\"value\":101}", Percent.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining(
            "the constructor of holdfast.jackson.JacksonPayloadMapperTest$Percent")
        .hasMessageContaining("threw java.lang.IllegalArgumentException")
        .hasMessageNotContaining("secret")
        .hasNoCause();
  }

  @Test
  void aClassThatJacksonCannotMakeIsNamed() {
    assertThatThrownBy(() -> MAPPER.read("{}", Shape.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining(
            "Jackson cannot make a holdfast.jackson.JacksonPayloadMapperTest$Shape");
  }

  @Test
  void anObjectThatCannotBeWrittenIsRefusedWithTheField() {
    assertThatThrownBy(() -> MAPPER.write(new Unwritable("x")))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("JacksonPayloadMapperTest$Unwritable cannot be written as JSON")
        .hasMessageContaining("field secret")
        .hasRootCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void theSettingsOfAnotherMapperAreTaken() {
    JsonMapper snakes =
        JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

    assertThat(new JacksonPayloadMapper(snakes).write(new Renamed(1)))
        .isEqualTo("{\"first_name\":1}");
  }

  @Test
  void strictnessAndClassNamesOfAnotherMapperAreNot() {
    JsonMapper strict =
        JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .activateDefaultTyping(
                BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build(),
                DefaultTyping.NON_FINAL)
            .build();
    PayloadMapper mapper = new JacksonPayloadMapper(strict);

    assertThat(mapper.write(new Open(List.of(1)))).isEqualTo("{\"value\":[1]}");
    assertThat(mapper.read("{\"value\":[\"java.util.ArrayList\",[1]],\"x\":1}", Open.class))
        .isEqualTo(new Open(List.of("java.util.ArrayList", List.of(1))));
  }

  @Test
  void withoutJacksonItSaysWhatToAdd() throws Exception {
    URL[] ours = {place(Payloads.class), place(JacksonPayloadMapper.class)};
    try (URLClassLoader loader = new URLClassLoader(ours, ClassLoader.getPlatformClassLoader())) {
      Class<?> payloads = loader.loadClass(Payloads.class.getName());
      Object discovered = payloads.getMethod("discovered").invoke(null);

      assertThatThrownBy(() -> payloads.getMethod("mapper").invoke(discovered))
          .cause()
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the PayloadMapper on the class path cannot be loaded")
          .hasMessageContaining("add io.holdfast:holdfast-jackson and tools.jackson.core");
    }
  }

  private static URL place(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  @Test
  void itIsFoundOnTheClassPath() {
    Payloads payloads = Payloads.discovered();

    assertThat(payloads.mapper()).isInstanceOf(JacksonPayloadMapper.class);
    assertThat(payloads.read(payloads.write(new Line("tea", 1)), Line.class))
        .isEqualTo(new Line("tea", 1));
  }
}
