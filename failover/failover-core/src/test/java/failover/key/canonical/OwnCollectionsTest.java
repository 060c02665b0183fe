package failover.key.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import failover.key.StoreKey;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** Collections, maps and entries which have a state of their own, besides their elements. */
class OwnCollectionsTest {

  static class Tagged extends ArrayList<String> {
    private static final long serialVersionUID = 1;
    private final String tag;

    Tagged(String tag, Collection<String> elements) {
      super(elements);
      this.tag = tag;
    }

    String tag() {
      return tag;
    }
  }

  static class TaggedMap extends HashMap<String, String> {
    private static final long serialVersionUID = 1;
    String tag = "";
  }

  static class TaggedSet extends LinkedHashSet<String> {
    private static final long serialVersionUID = 1;
    String tag = "";
  }

  static class TaggedEntry extends AbstractMap.SimpleEntry<String, String> {
    private static final long serialVersionUID = 1;
    private final String tag;

    TaggedEntry(String key, String value, String tag) {
      super(key, value);
      this.tag = tag;
    }

    String tag() {
      return tag;
    }
  }

  static class Skus extends ArrayList<String> {
    private static final long serialVersionUID = 1;
  }

  static class Guarded extends AbstractList<String> {
    private final ReentrantLock lock = new ReentrantLock();

    @Override
    public String get(int index) {
      throw new IndexOutOfBoundsException(lock.toString());
    }

    @Override
    public int size() {
      return 0;
    }
  }

  private static StoreKey key(Object arg) throws UnkeyableArgumentException {
    return CanonicalKeys.of("price", List.of(arg));
  }

  @Test
  void collectionsOfWellKnownLibrariesAreKeyedByTheirElements() throws Exception {
    ImmutableMap<String, Integer> map = ImmutableMap.of("a", 1, "b", 2);
    StoreKey before = CanonicalKeys.of("point", List.of(map));
    assertThat(map.entrySet()).hasSize(2); // is kept in a field from now on
    assertThat(map.keySet().asList()).hasSize(2);

    assertThat(CanonicalKeys.of("point", List.of(map))).isEqualTo(before);
    assertThat(CanonicalKeys.of("point", List.of(ImmutableList.of("a", "b"))))
        .isEqualTo(CanonicalKeys.of("point", List.of(List.of("a", "b"))));
  }

  @Test
  void theirStateCountsAsTheirElementsDo() throws UnkeyableArgumentException {
    Tagged red = new Tagged("red", List.of("a"));
    assertThat(key(red))
        .isEqualTo(key(new Tagged("red", List.of("a"))))
        .isNotEqualTo(key(new Tagged("blue", List.of("a"))))
        .isNotEqualTo(key(new Tagged("red", List.of("b"))))
        .isNotEqualTo(key(List.of("a")));
    TaggedMap map = new TaggedMap();
    map.put("a", "1");
    StoreKey plain = key(map);
    map.tag = "red";
    assertThat(key(map)).isNotEqualTo(plain);
    TaggedSet set = new TaggedSet();
    StoreKey empty = key(set);
    set.tag = "red";
    assertThat(key(set)).isNotEqualTo(empty);
    assertThat(key(new TaggedEntry("a", "1", "red")))
        .isEqualTo(key(new TaggedEntry("a", "1", "red")))
        .isNotEqualTo(key(new TaggedEntry("a", "1", "blue")))
        .isNotEqualTo(key(new TaggedEntry("a", "2", "red")));
  }

  @Test
  void aClassWithoutAStateOfItsOwnIsItsElements() throws UnkeyableArgumentException {
    Skus one = new Skus();
    one.add("a");
    Skus same = new Skus();
    same.add("a");
    assertThat(key(one)).isEqualTo(key(same)).isNotEqualTo(key(new Skus()));
  }

  @Test
  void aStateThatCannotBeComparedAllowsNoKey() {
    assertThatThrownBy(() -> key(new Guarded()))
        .isInstanceOf(UnkeyableArgumentException.class)
        .hasMessageContaining("ReentrantLock");
  }

  @Test
  void thoseOfTheJdkAreTheirElements() throws UnkeyableArgumentException {
    StoreKey list = key(List.of("a", "b"));
    assertThat(key(new ArrayList<>(List.of("a", "b")))).isEqualTo(list);
    assertThat(key(new LinkedList<>(List.of("a", "b")))).isEqualTo(list);
    assertThat(key(new CopyOnWriteArrayList<>(List.of("a", "b")))).isEqualTo(list);
    assertThat(key(Collections.unmodifiableList(new ArrayList<>(List.of("a", "b")))))
        .isEqualTo(list);
    assertThat(key(new TreeMap<>(Map.of("a", 1)))).isEqualTo(key(Map.of("a", 1)));
    assertThat(key(Map.entry("a", 1))).isEqualTo(key(new AbstractMap.SimpleEntry<>("a", 1)));
    assertThat(key(new ArrayDeque<>(List.of("a")))).isEqualTo(key(new ArrayDeque<>(List.of("a"))));
  }
}
