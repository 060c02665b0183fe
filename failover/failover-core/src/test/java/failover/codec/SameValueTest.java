package failover.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SameValueTest {
  enum Size {
    SMALL,
    LARGE
  }

  static class Part {
    final Object content;
    transient int times;

    Part(Object content) {
      this.content = content;
    }
  }

  static final class OtherPart extends Part {
    OtherPart(Object content) {
      super(content);
    }
  }

  static final class ById {
    final int id;
    final String name;

    ById(int id, String name) {
      this.id = id;
      this.name = name;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof ById that && id == that.id;
    }

    @Override
    public int hashCode() {
      return id;
    }
  }

  static final class Tagged extends ArrayList<String> {
    private static final long serialVersionUID = 1;
    final String tag;

    Tagged(String tag) {
      this.tag = tag;
    }
  }

  static final class TaggedMap extends HashMap<String, String> {
    private static final long serialVersionUID = 1;
    final String tag;

    TaggedMap(String tag) {
      this.tag = tag;
    }
  }

  private static Optional<String> difference(Object one, Object other) {
    return new SameValue().difference(one, other, "it");
  }

  private static void same(Object one, Object other) {
    assertThat(difference(one, other)).as("%s and %s", one, other).isEmpty();
    assertThat(difference(new Part(List.of(new Part(one))), new Part(List.of(new Part(other)))))
        .isEmpty();
  }

  private static void different(String where, Object one, Object other) {
    assertThat(difference(one, other)).as("%s and %s", one, other).hasValue("it" + where);
    assertThat(difference(new Part(Arrays.asList(one)), new Part(Arrays.asList(other))))
        .hasValue("it.content[]" + where);
  }

  @Test
  void valuesOfTheJdkAreEqualOrDifferent() {
    same(null, null);
    same("a", new String("a"));
    same(new StringBuilder("a"), new StringBuilder("a"));
    same(new AtomicInteger(1), new AtomicInteger(1));
    same(Size.SMALL, Size.SMALL);
    same(Optional.of("a"), Optional.of("a"));
    same(Optional.empty(), Optional.empty());
    different("", null, "a");
    different("", "a", null);
    different("", "a", "b");
    different("", new StringBuilder("a"), "a");
    different("", new AtomicInteger(1), new AtomicInteger(2));
    different("", 1, 1L);
    different("", new BigDecimal("1.0"), new BigDecimal("1.00"));
    different("", Size.SMALL, Size.LARGE);
    different("", Optional.of("a"), Optional.empty());
    different("", Optional.of("a"), Optional.of("b"));
    different("", Optional.of("a"), "a");
  }

  @Test
  void ownClassesAreTheirClassAndFields() {
    same(new Part("a"), new Part("a"));
    same(new ById(1, "a"), new ById(1, "a"));
    different(".content", new Part("a"), new Part("b"));
    different(".name", new ById(1, "a"), new ById(1, "b"));
    different("", new Part("a"), new OtherPart("a"));
    different("", new OtherPart("a"), new Part("a"));
    Part more = new Part("a");
    more.times = 2;
    same(more, new Part("a"));
  }

  @Test
  void arraysAndListsAreTheirElementsInOrder() {
    same(new int[] {1, 2}, new int[] {1, 2});
    same(new String[] {"a", null}, new String[] {"a", null});
    same(List.of("a"), new ArrayList<>(List.of("a")));
    different("[]", new int[] {1, 2}, new int[] {2, 1});
    different("[]", new int[] {1}, new int[] {1, 2});
    different("", new int[] {1}, new long[] {1});
    different("[]", List.of("a", "b"), List.of("b", "a"));
    different("[]", List.of("a", "b"), List.of("a"));
    different("[]", List.of("a"), List.of("a", "b"));
    different("", List.of("a"), Set.of("a"));
    different("", Set.of("a"), List.of("a"));
    different("", List.of("a"), "a");
  }

  @Test
  void setsAndMapsAreTheirElementsInAnyOrder() {
    same(Set.of("a", "b"), new LinkedHashSet<>(List.of("b", "a")));
    same(Set.of(new ById(1, "a")), Set.of(new ById(1, "a")));
    same(Map.of("a", 1, "b", 2), new TreeMap<>(Map.of("b", 2, "a", 1)));
    different("[]", Set.of("a", "b"), Set.of("a"));
    different(".key", Set.of("a"), Set.of("b"));
    different("[].name", Set.of(new ById(1, "a")), Set.of(new ById(1, "b")));
    different("[]", Map.of("a", 1), Map.of("a", 1, "b", 2));
    different("[]", Map.of("a", 1), Map.of("a", 2));
    different(".key", Map.of("a", 1), Map.of("b", 1));
    different("", Map.of("a", 1), Set.of("a"));
  }

  @Test
  void sortedOnesMustBeSortedAlike() {
    Collection<String> reversed = new TreeSet<>(Comparator.<String>reverseOrder());
    different("", reversed, new TreeSet<String>());
    same(new TreeSet<>(Set.of("a")), new TreeSet<>(Set.of("a")));
    Map<String, String> map = new TreeMap<>(Comparator.<String>reverseOrder());
    different("[]", map, new TreeMap<String, String>());
    same(new TreeMap<>(Map.of("a", 1)), new TreeMap<>(Map.of("a", 1)));
  }

  @Test
  void collectionsOfOneOwnClassAreTheirFieldsToo() {
    same(new Tagged("a"), new Tagged("a"));
    different(".tag", new Tagged("a"), new Tagged("b"));
    same(new Tagged("a"), new ArrayList<String>());
    same(new TaggedMap("a"), new TaggedMap("a"));
    different(".tag", new TaggedMap("a"), new TaggedMap("b"));
  }

  @Test
  void aValueThatContainsItselfIsComparedOnce() {
    Object[] one = {null};
    one[0] = one;
    Object[] other = {null};
    other[0] = other;
    same(one, other);
  }
}
