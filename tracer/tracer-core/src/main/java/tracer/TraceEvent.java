package tracer;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import tracer.ring.RecordFormat;

/**
 * A kind of event: its name, the names and types of its values, and a number that stands for it in
 * rings and files.
 *
 * <pre>{@code
 * private static final TraceEvent PLACED =
 *     TraceEvent.named("order.placed").arg("order", LONG).arg("customer", INTERNED_STRING);
 * }</pre>
 *
 * <p>The same name and arguments give the same object in the whole process, for all tracers; names
 * are never forgotten, so they must not be made of data. Safe for use by many threads.
 */
public final class TraceEvent {
  /** How many names there can be: {@value}. */
  public static final int MOST_NAMES = 1 << 16;

  /** How many characters a name can have: {@value}. */
  public static final int LONGEST_NAME = 256;

  private static final ConcurrentMap<String, TraceEvent> BY_NAME = new ConcurrentHashMap<>();
  private static final AtomicReferenceArray<@Nullable TraceEvent> BY_ID =
      new AtomicReferenceArray<>(MOST_NAMES + 1);
  private static int last;

  /*
   * Each argument makes another object, so that the next knows its place. All objects of a name share
   * the number and the declaration, which is what the longest of them says.
   */
  private final int id;
  private final String name;
  private final Declaration declaration;
  private final int arguments;
  private @Nullable TraceEvent longer; // guarded by declaration

  private TraceEvent(int id, String name, Declaration declaration, int arguments) {
    this.id = id;
    this.name = name;
    this.declaration = declaration;
    this.arguments = arguments;
  }

  /** What all who use a name say about it. */
  private static final class Declaration {
    private volatile List<TraceArgument> arguments = List.of();
    private volatile String unit = "";
  }

  /**
   * The event of that name, with the arguments that were declared for it.
   *
   * @param name from 1 to {@value #LONGEST_NAME} characters
   * @return the same object for the same name
   * @throws IllegalArgumentException if the name is empty or too long
   * @throws IllegalStateException if there are too many names
   */
  public static TraceEvent named(String name) {
    Objects.requireNonNull(name, "name");
    TraceEvent known = BY_NAME.get(name);
    return known != null ? known : register(name);
  }

  private static synchronized TraceEvent register(String name) {
    if (name.isBlank() || name.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "the name of an event must have from 1 to "
              + LONGEST_NAME
              + " characters, not all blank, but was '"
              + name.substring(0, Math.min(LONGEST_NAME, name.length()))
              + "'");
    }
    TraceEvent known = BY_NAME.get(name);
    if (known != null) {
      return known;
    }
    if (last == MOST_NAMES) {
      throw new IllegalStateException(
          "there must be no more than "
              + MOST_NAMES
              + " names of events but '"
              + name
              + "' is one more; make names constants, and put data into values");
    }
    TraceEvent event = new TraceEvent(++last, name, new Declaration(), 0);
    BY_ID.set(event.id, event);
    BY_NAME.put(name, event);
    return event;
  }

  /**
   * Declares the next value of this kind of event. Declared before the first event is recorded, it
   * is shown with this name and type; values without a declaration are shown as the numbers a, b, c
   * and d.
   *
   * @param argument from 1 to {@value #LONGEST_NAME} characters
   * @param type what the value is
   * @return this kind of event with that argument; the same object for the same declaration
   * @throws IllegalArgumentException if the name is empty or too long
   * @throws IllegalStateException if that value was declared otherwise, or there are four already
   */
  public TraceEvent arg(String argument, ArgumentType type) {
    TraceArgument wanted = new TraceArgument(argument, type);
    synchronized (declaration) {
      List<TraceArgument> known = declaration.arguments;
      if (arguments == RecordFormat.MOST_VALUES) {
        throw new IllegalStateException(
            "event '%s' must have no more than %d arguments but '%s' is one more; put it into an event of its own"
                .formatted(name, RecordFormat.MOST_VALUES, argument));
      }
      if (arguments == known.size()) {
        List<TraceArgument> more = new ArrayList<>(known);
        more.add(wanted);
        declaration.arguments = List.copyOf(more);
      } else if (!known.get(arguments).equals(wanted)) {
        throw new IllegalStateException(
            "argument %d of event '%s' must be '%s', as it was declared first, but is '%s' here; declare it alike, or take another name for the event"
                .formatted(arguments + 1, name, known.get(arguments), wanted));
      }
      TraceEvent next = longer;
      if (next == null) {
        next = new TraceEvent(id, name, declaration, arguments + 1);
        longer = next;
      }
      return next;
    }
  }

  /**
   * Declares the unit of a counter, as {@code "bytes"}, which a viewer shows.
   *
   * @return this kind of event
   * @throws IllegalStateException if another unit was declared for the name
   */
  public TraceEvent unit(String unit) {
    Objects.requireNonNull(unit, "unit");
    synchronized (declaration) {
      String known = declaration.unit;
      if (!known.isEmpty() && !known.equals(unit)) {
        throw new IllegalStateException(
            "the unit of event '%s' must be '%s', as it was declared first, but is '%s' here; declare it alike, or take another name for the event"
                .formatted(name, known, unit));
      }
      declaration.unit = unit;
    }
    return this;
  }

  /**
   * The event with that number.
   *
   * @param id a number that {@link #id()} gave
   * @return the event
   * @throws IllegalArgumentException if no event has it
   */
  public static TraceEvent withId(int id) {
    TraceEvent event = id < 1 || id > MOST_NAMES ? null : BY_ID.get(id);
    if (event == null) {
      throw new IllegalArgumentException(
          "id must be of a named event but was "
              + id
              + "; take one that TraceEvent.named(...).id() returned");
    }
    return event;
  }

  /** The number that stands for the name, 1 or more. */
  public int id() {
    return id;
  }

  /** The name. */
  public String name() {
    return name;
  }

  /** Returns what is declared of the values of this name, in their order. */
  public List<TraceArgument> arguments() {
    return declaration.arguments;
  }

  /** Returns the unit that is declared for a counter; empty if there is none. */
  public String unit() {
    return declaration.unit;
  }

  /** Returns the category: the name up to its first dot, or all of it if it has none. */
  public String category() {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TraceEvent that && id == that.id;
  }

  @Override
  public int hashCode() {
    return id;
  }

  @Override
  public String toString() {
    return name;
  }
}
