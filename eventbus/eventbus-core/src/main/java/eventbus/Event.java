package eventbus;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened, for one worker to handle: a type, a text, and a few headers.
 *
 * <p>What is published has no id yet; {@link EventBus#publish} returns it. What {@link
 * EventBus#poll} returns or a handler is given carries its {@link Claim}. Immutable.
 */
public final class Event {
  /** The longest type, in characters: {@value}. */
  public static final int MAX_TYPE_LENGTH = 128;

  /** The priority that goes first: {@value}. */
  public static final int FIRST_PRIORITY = 0;

  /** The priority unless set: {@value}. */
  public static final int DEFAULT_PRIORITY = 5;

  /** The priority that goes last: {@value}. */
  public static final int LAST_PRIORITY = 9;

  private final String type;
  private final String payload;
  private final Map<String, String> headers;
  private final int priority;
  private final Duration delay;
  private final @Nullable Instant availableAt;
  private final @Nullable Claim claim;

  Event(EventBuilder draft, @Nullable Claim claim) {
    this.type = draft.type;
    this.payload = draft.payload;
    this.headers = Map.copyOf(draft.headers);
    this.priority = draft.priority;
    this.delay = draft.delay;
    this.availableAt = draft.availableAt;
    this.claim = claim;
  }

  /**
   * An event with no headers, of the usual priority, due at once.
   *
   * @param type what happened; decides who handles it
   * @param payload the rest of it, usually JSON
   * @return the event
   * @throws IllegalArgumentException if the type or the payload is not valid, saying why
   */
  public static Event of(String type, String payload) {
    return builder(type).payload(payload).build();
  }

  /**
   * Starts an event with an empty payload.
   *
   * @param type what happened; decides who handles it
   * @return a builder
   */
  public static EventBuilder builder(String type) {
    return new EventBuilder(type);
  }

  /** What happened; decides who handles it. */
  public String type() {
    return type;
  }

  /** The text that came with it, exactly as it was published. */
  public String payload() {
    return payload;
  }

  /** Names and values that came with it; cannot be changed. */
  public Map<String, String> headers() {
    return headers;
  }

  /** From 0, which goes first, to 9. */
  public int priority() {
    return priority;
  }

  /** How long after publishing it becomes due. */
  public Duration delay() {
    return delay;
  }

  /** The moment it becomes due, if it was set instead of a delay. */
  public @Nullable Instant availableAt() {
    return availableAt;
  }

  /** Whether it was acquired, and so has an id and a claim. */
  public boolean isClaimed() {
    return claim != null;
  }

  /**
   * What acquiring it added.
   *
   * @throws IllegalStateException if it was not acquired
   */
  public Claim claim() {
    if (claim == null) {
      throw new IllegalStateException(
          "event of type '"
              + type
              + "' must come from the bus to have an id but was made here; publish returns the id");
    }
    return claim;
  }

  /**
   * The id of its row.
   *
   * @throws IllegalStateException if it was not acquired
   */
  public long id() {
    return claim().id();
  }

  /**
   * How often it was acquired, this time included.
   *
   * @throws IllegalStateException if it was not acquired
   */
  public int attempts() {
    return claim().attempts();
  }

  @Override
  public String toString() {
    return claim == null
        ? "Event[" + type + "]"
        : "Event[" + type + " id=" + claim.id() + " attempts=" + claim.attempts() + "]";
  }
}
