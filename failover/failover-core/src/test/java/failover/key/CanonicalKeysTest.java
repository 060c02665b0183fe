package failover.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.key.canonical.CanonicalKeys;
import failover.key.canonical.KeyTypes;
import failover.key.canonical.UnkeyableArgumentException;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CanonicalKeysTest {
  private record Id(String value) {}

  private record OtherId(String value) {}

  private enum Size {
    SMALL,
    LARGE {
      @Override
      public String toString() {
        return "SMALL";
      }
    }
  }

  /** Equal by one of its fields only, as value objects are written by hand. */
  private static final class Money {
    private final String amount;
    private final transient String currency;

    Money(String amount, String currency) {
      this.amount = amount;
      this.currency = currency;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Money that && amount.equals(that.amount);
    }

    @Override
    public int hashCode() {
      return amount.hashCode();
    }

    @Override
    public String toString() {
      return currency.isEmpty() ? "" : "money";
    }
  }

  private static StoreKey key(Object... args) throws UnkeyableArgumentException {
    return CanonicalKeys.of("price", Arrays.asList(args));
  }

  @Test
  void argumentsThatLookAlikeHaveDifferentKeys() throws UnkeyableArgumentException {
    List<StoreKey> keys =
        List.of(
            key(),
            key((Object) null),
            key(null, null),
            key(""),
            key("", ""),
            key("null"),
            key("NO-ARG"),
            key("a:b", "c"),
            key("a", "b:c"),
            key("a:b:c"),
            key("a,b"),
            key(List.of("a", "b")),
            key(List.of("a,b")),
            key("a", "b"),
            key(List.of(List.of("a"), "b")),
            key(List.of(List.of("a", "b"))),
            key(Set.of("a", "b")),
            key((Object) new String[] {"a", "b"}),
            key(1),
            key(1L),
            key(Locale.ROOT),
            key(Locale.forLanguageTag("und-Latn")),
            key(Locale.forLanguageTag("und-Cyrl")),
            key(Locale.forLanguageTag("und-x-lvariant-POSIX")),
            key("1"),
            key((short) 1),
            key((byte) 1),
            key('1'),
            key(1.0),
            key(1.0f),
            key(0.0),
            key(-0.0),
            key(new BigDecimal("1")),
            key(new BigDecimal("1.0")),
            key(true),
            key("true"),
            key(Optional.empty()),
            key(Optional.of("a")),
            key("a"),
            key(new Id("a")),
            key(new OtherId("a")),
            key(Size.SMALL),
            key(Size.LARGE),
            key("SMALL"),
            key(LocalDate.EPOCH),
            key(LocalDate.EPOCH.toString()),
            key(Instant.EPOCH),
            key(Instant.EPOCH.plusNanos(1)),
            key(new Date(0)),
            key(new Date(1)),
            key(Map.of("a", "b")),
            key(Map.of("b", "a")),
            key(Map.entry("a", "b")),
            key("\uD800"),
            key("\uDBFF"),
            key("?"),
            key(new Money("1", "EUR")),
            key(new Money("1", "USD")),
            CanonicalKeys.ofText("price", "a"),
            CanonicalKeys.ofText("price", ""),
            CanonicalKeys.of("other", List.of("a")));
    assertThat(keys).doesNotHaveDuplicates();
    assertThat(keys.stream().map(StoreKey::id)).doesNotHaveDuplicates();
  }

  @Test
  void equalArgumentsHaveEqualKeysWhateverTheirOrderOrKind() throws UnkeyableArgumentException {
    Map<String, Integer> forth = new LinkedHashMap<>();
    Map<String, Integer> back = new LinkedHashMap<>();
    for (int i = 0; i < 50; i++) {
      forth.put("k" + i, i);
      back.put("k" + (49 - i), 49 - i);
    }
    assertThat(key(forth)).isEqualTo(key(back)).hasSameHashCodeAs(key(back));
    assertThat(key(forth.keySet())).isEqualTo(key(new LinkedHashSet<>(back.keySet())));
    assertThat(key(List.of(1, 2))).isEqualTo(key(new ArrayList<>(List.of(1, 2))));
    assertThat(key(new Id("a"))).isEqualTo(key(new Id("a")));
    assertThat(key((Object) new int[] {1, 2})).isEqualTo(key((Object) new int[] {1, 2}));
    assertThat(key(new HashMap<>(Map.of(new Id("x"), Set.of(1, 2)))))
        .isEqualTo(key(Map.of(new Id("x"), Set.of(2, 1))));
  }

  @Test
  void idsAreTheSameOnEveryMachineAndInEveryVersion() throws UnkeyableArgumentException {
    assertThat(key("42").id()).hasSize(36).isEqualTo(UUID.fromString(key("42").id()).toString());
    assertThat(key("42").id()).isEqualTo("b4e4da5c-843d-7350-c5e0-04462dc1f3cc");
    assertThat(key(42, null, List.of(new Id("a"))).id())
        .isEqualTo("006e427c-2290-56e2-3b06-b5018152e6d8");
  }

  @Test
  void aMillionRandomPairsHaveEqualKeysExactlyIfTheyAreEqual() throws UnkeyableArgumentException {
    Random random = new Random(42);
    int equal = 0;
    for (int i = 0; i < 1_000_000; i++) {
      List<Object> one = Arrays.asList(value(random, 0), value(random, 1));
      List<Object> other = Arrays.asList(value(random, 0), value(random, 1));
      boolean areEqual = one.equals(other);
      equal += areEqual ? 1 : 0;
      if (areEqual != CanonicalKeys.of("price", one).equals(CanonicalKeys.of("price", other))) {
        throw new AssertionError(one + " and " + other + " must share a key only if equal");
      }
    }
    assertThat(equal).as("pairs that are equal").isGreaterThan(100);
  }

  /** Few letters and small numbers, so that values meet often. */
  private static Object value(Random random, int depth) {
    return switch (random.nextInt(depth < 2 ? 9 : 6)) {
      case 0 -> null;
      case 1 -> random.nextInt(40);
      case 2 -> (long) random.nextInt(40);
      case 3 -> text(random);
      case 4 -> new Id(text(random));
      case 5 -> Size.values()[random.nextInt(2)];
      case 6 -> Arrays.asList(value(random, depth + 1), value(random, depth + 1));
      case 7 -> Optional.ofNullable(value(random, depth + 1));
      default -> {
        Map<Object, Object> map = new HashMap<>();
        map.put(value(random, depth + 1), value(random, depth + 1));
        yield map;
      }
    };
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(":,0a\u0000".charAt(random.nextInt(5)));
    }
    return text.toString();
  }

  @Test
  void anArgumentWithoutValueEqualityHasNoKey() {
    for (Object arg :
        List.of(
            new Object(),
            new ByteArrayInputStream(new byte[0]),
            new AtomicInteger(1),
            new StringBuilder("a"),
            List.of(new Object()))) {
      assertThatThrownBy(() -> key(arg))
          .isInstanceOf(UnkeyableArgumentException.class)
          .hasMessageContaining("give the point a key function");
    }
  }

  @Test
  void anArgumentThatContainsItselfHasNoKey() {
    List<Object> endless = new ArrayList<>();
    endless.add(endless);
    assertThatThrownBy(() -> key(endless)).isInstanceOf(UnkeyableArgumentException.class);
  }

  @Test
  void typesShowEarlyWhatCanNeverBeAKey() {
    assertThat(KeyTypes.problem(AtomicInteger.class)).isPresent();
    assertThat(KeyTypes.problem(StringBuilder[].class)).isPresent();
    for (Class<?> type :
        List.of(
            int.class,
            int[].class,
            Id[].class,
            String.class,
            Id.class,
            Money.class,
            Object.class,
            List.class,
            Size.class)) {
      assertThat(KeyTypes.problem(type)).as(type.getName()).isEmpty();
    }
  }

  @Test
  void aStoredKeyEqualsOnlyItsLike() throws UnkeyableArgumentException {
    StoreKey key = key("42");
    assertThat(StoreKey.stored("price", key.id()))
        .isEqualTo(StoreKey.stored("price", key.id()))
        .isNotEqualTo(key)
        .matches(stored -> Objects.equals(stored.id(), key.id()));
    assertThat(key).hasToString("price");
  }
}
