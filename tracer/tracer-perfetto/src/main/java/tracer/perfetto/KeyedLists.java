package tracer.perfetto;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lists by key, in the order in which the keys came. Changes can be taken back until they are kept;
 * for that only the lists that were changed are remembered, as they were, and not what came and
 * went meanwhile. Not safe for use by many threads.
 *
 * @param <K> the keys
 * @param <E> the elements
 */
final class KeyedLists<K, E> {
  private final Map<K, List<E>> lists = new LinkedHashMap<>();
  private final Map<K, List<E>> before = new HashMap<>();
  private int size;

  /** What was changed since {@link #undo} or this is to stay. */
  void keep() {
    before.clear();
  }

  /** Takes back what was changed. */
  void undo() {
    before.forEach(
        (key, list) -> {
          size += list.size() - of(key).size();
          if (list.isEmpty()) {
            lists.remove(key);
          } else {
            lists.put(key, new ArrayList<>(list));
          }
        });
    before.clear();
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** How many elements all lists have. */
  int size() {
    return size;
  }

  Set<Map.Entry<K, List<E>>> entries() {
    return lists.entrySet();
  }

  /** The elements of a key, the newest last. */
  List<E> of(K key) {
    return lists.getOrDefault(key, List.of());
  }

  private void remember(K key) {
    if (!before.containsKey(key)) {
      before.put(key, List.copyOf(of(key)));
    }
  }

  /** Adds an element as the newest. */
  void add(K key, E element) {
    remember(key);
    lists.computeIfAbsent(key, it -> new ArrayList<>(1)).add(element);
    size++;
  }

  /** Removes and returns the element at that place of its list. */
  E remove(K key, int place) {
    remember(key);
    List<E> list = of(key);
    E removed = list.remove(place);
    size--;
    if (list.isEmpty()) {
      lists.remove(key);
    }
    return removed;
  }

  /** Puts an element in the place of another. */
  void replace(K key, int place, E element) {
    remember(key);
    of(key).set(place, element);
  }
}
