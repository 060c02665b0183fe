package failover.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import failover.TypeRef;
import failover.codec.PayloadCodec.CodecException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.json.JsonMapper;

/** What can be written but not read again is refused at the start, and nothing else is. */
class TypeCheckTest {
  private final JacksonPayloadCodec codec = JacksonPayloadCodec.create();

  static class Price {
    private final int cents;

    Price(int euros, int cents) {
      this.cents = 100 * euros + cents;
    }

    Price(String euros, String cents) {
      this(Integer.parseInt(euros), Integer.parseInt(cents));
    }

    int cents() {
      return cents;
    }
  }

  static class Range {
    private final int from;
    private final int to;

    Range(int from, int to) {
      this.from = from;
      this.to = to;
    }

    Range(String from, String to) {
      this(Integer.parseInt(from), Integer.parseInt(to));
    }

    int length() {
      return to - from;
    }
  }

  class Inner {
    int cents;
  }

  static class Prices extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Prices(String first, String second) {
      add(first);
      add(second);
    }
  }

  record Basket(String id, Map<String, Optional<List<Price[]>>> prices) {}

  sealed interface Answer permits Good, Bad {}

  record Good() implements Answer {}

  static final class Bad implements Answer {
    private final int code;

    Bad(int group, int number) {
      this.code = 100 * group + number;
    }

    Bad(String group, String number) {
      this(Integer.parseInt(group), Integer.parseInt(number));
    }

    int code() {
      return code;
    }
  }

  static class Twofold {
    private int cents;

    public void setCents(List<String> texts) {
      cents = texts.size();
    }

    public void setCents(Map<String, String> texts) {
      cents = texts.size();
    }

    int cents() {
      return cents;
    }
  }

  record Upload(InputStream content) {}

  private record Page<T>(List<T> items) {}

  @Test
  void aContainerMustSayWhatItContains() {
    for (Class<?> raw : List.of(List.class, Map.class, ArrayList.class)) {
      assertThat(codec.problem(raw))
          .get()
          .asString()
          .contains(raw.getName() + " must say what it contains", "new TypeRef<List<Price>>() {}");
    }
  }

  @Test
  void whatHasNoWayBackIsRefusedWithTheRemedy() {
    for (Type type :
        List.of(
            Price.class,
            Range.class,
            Inner.class,
            Prices.class,
            Basket.class,
            Answer.class,
            Upload.class,
            new TypeRef<List<Range>>() {}.type(),
            new TypeRef<Page<Price>>() {}.type(),
            new TypeRef<Stream<String>>() {}.type())) {
      assertThat(codec.problem(type)).as(type.toString()).isPresent();
    }
    assertThatThrownBy(() -> codec.encode(new Price(1, 2), Price.class))
        .isInstanceOf(CodecException.class);
    assertThat(codec.problem(Basket.class))
        .get()
        .asString()
        .contains(
            Price.class.getName(), "constructor without arguments", "a record", "@JsonCreator");
  }

  static class Plain {
    private int cents;

    private Plain() {}
  }

  static class Created {
    private final int cents;

    @JsonCreator
    Created(@JsonProperty("cents") int cents) {
      this.cents = cents;
    }

    int cents() {
      return cents;
    }
  }

  static class Sku {
    @JsonValue private final String text;

    Sku(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  static class ByHand {
    transient Range left;

    @JsonDeserialize(using = RangeReader.class)
    Range kept;
  }

  static class RangeReader extends ValueDeserializer<Range> {
    @Override
    public Range deserialize(JsonParser parser, DeserializationContext context) {
      parser.skipChildren();
      return new Range(0, 1);
    }
  }

  record Tree(String name, List<Tree> children, Map<String, Tree> byName) {}

  @Test
  void whatHasAWayBackIsNot() {
    for (Type type :
        List.of(
            Plain.class,
            Twofold.class,
            Created.class,
            Sku.class,
            ByHand.class,
            Tree.class,
            byte[].class,
            IllegalStateException.class,
            InetAddress.class,
            Path.class,
            AtomicInteger.class,
            TimeUnit.class,
            new TypeRef<Page<Plain>>() {}.type(),
            new TypeRef<Map.Entry<String, Plain>>() {}.type(),
            new TypeRef<EnumMap<Thread.State, Plain>>() {}.type(),
            new TypeRef<Iterable<? extends Plain>>() {}.type())) {
      assertThat(codec.problem(type)).as(type.toString()).isEmpty();
    }
    assertThat(JacksonPayloadCodec.of(JsonMapper.shared()).problem(Created.class)).isEmpty();
  }
}
