package tracer;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The name of a kind of event, with a number that stands for it in rings and files.
 *
 * <pre>{@code
 * private static final TraceEvent PLACED = TraceEvent.named("order.placed");
 * }</pre>
 *
 * <p>The same name gives the same object in the whole process, for all tracers; names are never
 * forgotten, so they must not be made of data. Safe for use by many threads.
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

  private final int id;
  private final String name;

  private TraceEvent(int id, String name) {
    this.id = id;
    this.name = name;
  }

  /**
   * The event of that name.
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
    TraceEvent event = new TraceEvent(++last, name);
    BY_ID.set(event.id, event);
    BY_NAME.put(name, event);
    return event;
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

  @Override
  public String toString() {
    return name;
  }
}
