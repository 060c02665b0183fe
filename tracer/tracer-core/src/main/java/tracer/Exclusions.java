package tracer;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Which kinds of events are not recorded, by name and by category. The category of an event is its
 * name up to the first dot.
 *
 * <pre>{@code
 * tracer.exclude(Exclusions.none().category("sql").name("order.step"));
 * }</pre>
 *
 * <p>Events of {@link Lane#CRITICAL} are recorded in any case. Immutable.
 */
public final class Exclusions {
  private static final Exclusions NONE = new Exclusions(Set.of(), Set.of());

  private final Set<String> names;
  private final Set<String> categories;

  private Exclusions(Set<String> names, Set<String> categories) {
    this.names = Set.copyOf(names);
    this.categories = Set.copyOf(categories);
  }

  /** Returns exclusions by which every event is recorded. */
  public static Exclusions none() {
    return NONE;
  }

  /**
   * Returns these exclusions and that of one kind of event.
   *
   * @param name the name of the event; need not exist yet
   */
  public Exclusions name(String name) {
    return new Exclusions(with(names, Objects.requireNonNull(name, "name")), categories);
  }

  /**
   * Returns these exclusions and that of all events of a category.
   *
   * @param category the part before the first dot of their names
   */
  public Exclusions category(String category) {
    return new Exclusions(names, with(categories, Objects.requireNonNull(category, "category")));
  }

  /** Returns these exclusions without that of one kind of event, if it is among them. */
  public Exclusions withoutName(String name) {
    return new Exclusions(without(names, Objects.requireNonNull(name, "name")), categories);
  }

  /** Returns these exclusions without that of a category, if it is among them. */
  public Exclusions withoutCategory(String category) {
    return new Exclusions(names, without(categories, Objects.requireNonNull(category, "category")));
  }

  private static Set<String> without(Set<String> all, String one) {
    Set<String> others = new HashSet<>(all);
    others.remove(one);
    return others;
  }

  private static Set<String> with(Set<String> some, String more) {
    Set<String> all = new HashSet<>(some);
    all.add(more);
    return all;
  }

  /** Returns the names of the kinds of events that are excluded one by one. */
  public Set<String> names() {
    return names;
  }

  /** Returns the categories that are excluded. */
  public Set<String> categories() {
    return categories;
  }

  boolean isEmpty() {
    return names.isEmpty() && categories.isEmpty();
  }

  /** Returns whether events of that kind are not recorded. */
  public boolean contains(TraceEvent event) {
    return names.contains(event.name()) || categories.contains(event.category());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Exclusions that
        && names.equals(that.names)
        && categories.equals(that.categories);
  }

  @Override
  public int hashCode() {
    return Objects.hash(names, categories);
  }

  @Override
  public String toString() {
    return "names=" + names + " categories=" + categories;
  }
}
