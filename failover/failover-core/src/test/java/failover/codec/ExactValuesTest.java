package failover.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonTypeName;
import failover.TypeRef;
import failover.codec.PayloadCodec.CodecException;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Values of all exact types come back as they were. */
class ExactValuesTest {
  private final JacksonPayloadCodec codec = JacksonPayloadCodec.create();

  record Was(String sku) {}

  enum Size {
    SMALL,
    LARGE;

    @Override
    public String toString() {
      return "a size";
    }
  }

  private void comesBack(Object value, Type type) {
    assertThat(codec.problem(type)).as(type.getTypeName()).isEmpty();
    assertThat(codec.decode(codec.encode(value, type), type)).isEqualTo(value);
  }

  record Numbers(BigInteger integer, BigDecimal decimal, double d, float f, Map<String, Long> m) {}

  @Test
  void numbersAndTextsOfAnySizeComeBack() {
    BigInteger large = new BigInteger(4_096, new Random(1)).setBit(4_095);
    comesBack(large, BigInteger.class);
    comesBack(new BigDecimal(large, 700), BigDecimal.class);
    comesBack(
        new Numbers(
            large,
            new BigDecimal("1E+500000"),
            Double.NaN,
            Float.NEGATIVE_INFINITY,
            Map.of("k".repeat(70_000), Long.MIN_VALUE)),
        Numbers.class);
    comesBack(new Numbers(large, new BigDecimal("-0.00"), -0.0, 1e-45f, Map.of()), Numbers.class);
  }

  record Times(
      Instant instant,
      LocalDate date,
      LocalDateTime dateTime,
      LocalTime time,
      OffsetDateTime offset,
      OffsetTime offsetTime,
      ZonedDateTime zoned,
      ZoneId zone,
      ZoneOffset zoneOffset,
      Duration duration,
      Period period,
      Year year,
      YearMonth yearMonth,
      MonthDay monthDay,
      java.time.Month month,
      java.time.DayOfWeek day) {}

  private static Times times(Instant at, String zone) {
    ZonedDateTime zoned = at.atZone(ZoneId.of(zone));
    return new Times(
        at,
        zoned.toLocalDate(),
        zoned.toLocalDateTime(),
        zoned.toLocalTime(),
        zoned.toOffsetDateTime(),
        zoned.toOffsetDateTime().toOffsetTime(),
        zoned,
        zoned.getZone(),
        zoned.getOffset(),
        Duration.ofSeconds(-5, 7),
        Period.of(-1, 20, 300),
        Year.from(zoned),
        YearMonth.from(zoned),
        MonthDay.from(zoned),
        zoned.getMonth(),
        zoned.getDayOfWeek());
  }

  @Test
  void everyTimeComesBack() {
    assertThat(codec.isExact(Times.class)).isTrue();
    for (String at :
        List.of(
            "2026-10-25T00:30:00Z", // a quarter of an hour there twice, before and after
            "2026-10-25T01:30:00Z",
            "1583-01-01T00:00:00.000000001Z",
            "+12026-12-31T23:59:59.999999999Z",
            "-0044-03-15T11:00:00Z")) {
      for (String zone : List.of("Europe/Paris", "UTC", "Z", "GMT", "UTC+2", "+05:45:10")) {
        comesBack(times(Instant.parse(at), zone), Times.class);
      }
    }
    comesBack(Instant.MAX, Instant.class);
    comesBack(Instant.MIN, Instant.class);
    comesBack(Duration.ofSeconds(Long.MIN_VALUE, 1), Duration.class);
  }

  @Test
  void everyTextComesBack() {
    StringBuilder all = new StringBuilder();
    for (int c = 0; c <= Character.MAX_VALUE; c++) { // every half of a surrogate pair, too
      all.append((char) c);
    }
    all.append("\ud83d\ude00\ude00\ud83d");
    comesBack(all.toString(), String.class);
    comesBack(Map.of("\ud83d\ude00", "\udfff"), new TypeRef<Map<String, String>>() {}.type());
    comesBack('\ud800', Character.class);
    assertThat(codec.encode("\u00e4\u20ac", String.class)).as("not escaped").hasSize(2 + 2 + 3);
  }

  @Test
  void aKeyWithHalfASurrogatePairIsNotWritten() {
    Type type = new TypeRef<Map<String, String>>() {}.type();
    for (String half : List.of("\ud83d", "a\ude00", "\ud83d\ud83d\ude00")) {
      assertThatThrownBy(() -> codec.encode(Map.of(half, ""), type))
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("the key of a map must have no half of a surrogate pair");
    }
    comesBack(Map.of("a\ud83d\ude00\ud83d\ude00", ""), type);
    assertThatThrownBy(() -> codec.encode(new Within(Map.of("\ude00", 1)), Within.class))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("half of a surrogate pair");
  }

  record Within(Map<String, Integer> counts) {}

  record Values(
      boolean z, byte b, short s, char c, Character boxed, UUID id, Currency currency, Size size) {}

  @Test
  void everyOtherValueComesBack() {
    comesBack(
        new Values(
            true,
            Byte.MIN_VALUE,
            Short.MAX_VALUE,
            '\u0000',
            '\u20ac',
            new UUID(-1, 1),
            Currency.getInstance("EUR"),
            Size.LARGE),
        Values.class);
    comesBack(new Date(-1), Date.class);
    comesBack(Size.SMALL, Size.class);
    for (Object array :
        List.of(
            new byte[] {-1, 0},
            new char[] {'a', '\u20ac'},
            new double[] {Double.NaN, -0.0},
            new float[] {Float.MIN_VALUE},
            new long[] {Long.MAX_VALUE},
            new boolean[] {true})) {
      comesBack(array, array.getClass());
    }
  }

  @Test
  void collectionsComeBackInTheirOrder() {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      order.add((i * 7_919) % 100_003 - 50_000);
    }
    Type set = new TypeRef<Set<Integer>>() {}.type();
    Object read = codec.decode(codec.encode(new LinkedHashSet<>(order), set), set);
    assertThat(new ArrayList<>((Set<?>) read)).isEqualTo(order);
    HashSet<Integer> large = new HashSet<>(100_000); // has another order than one that grew
    large.addAll(order);
    comesBack(large, new TypeRef<HashSet<Integer>>() {}.type());
    HashMap<Integer, List<Integer>> map = new HashMap<>(100_000);
    order.forEach(it -> map.put(it, List.of(it)));
    comesBack(map, new TypeRef<HashMap<Integer, List<Integer>>>() {}.type());
    comesBack(order, new TypeRef<Collection<Integer>>() {}.type());
  }

  private void isNotWritten(Object value, Type type) {
    assertThatThrownBy(() -> codec.encode(value, type))
        .as("%s", value)
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("would not come back as it is");
  }

  @Test
  void containersThatCompareInTheirOwnWayAreNotWrittenAsOthers() {
    Type map = new TypeRef<Map<String, Integer>>() {}.type();
    Map<String, Integer> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.put("Content-Type", 1);
    isNotWritten(headers, map);
    isNotWritten(new IdentityHashMap<>(Map.of("a", 1)), map);
    comesBack(new TreeMap<>(Map.of("b", 1, "a", 2)), map);

    Type set = new TypeRef<Set<String>>() {}.type();
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    names.add("Tea");
    isNotWritten(names, set);
    comesBack(new TreeSet<>(List.of("b", "a")), set);

    isNotWritten(Set.of("a", "b"), new TypeRef<Collection<String>>() {}.type());
    isNotWritten(new PriorityQueue<>(List.of(3, 1, 2)), new TypeRef<Queue<Integer>>() {}.type());
  }

  enum Step {
    UP {
      @Override
      int of(int floor) {
        return floor + 1;
      }
    };

    abstract int of(int floor);
  }

  record Steps(Step first, List<Step> others) {}

  @Test
  void enumsWhoseConstantsHaveBodiesComeBack() {
    comesBack(Step.UP, Step.class);
    comesBack(new Steps(Step.UP, List.of(Step.UP)), Steps.class);
  }

  sealed interface Reply<T> permits Found, None {}

  @JsonTypeName("ignored, since the name is ours")
  record Found<T>(T value) implements Reply<T> {}

  record None<T>() implements Reply<T> {}

  @Test
  void genericSealedTypesComeBack() {
    Type type = new TypeRef<Reply<List<Was>>>() {}.type();
    comesBack(new Found<>(List.of(new Was("a"))), type);
    comesBack(new None<>(), type);
  }
}
