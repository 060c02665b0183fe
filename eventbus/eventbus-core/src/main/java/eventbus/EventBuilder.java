package eventbus;

import holdfast.problems.Problems;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes an {@link Event}. Not safe for use by many threads. */
public final class EventBuilder {
  private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

  final String type;
  String payload = "";
  final Map<String, String> headers = new LinkedHashMap<>();
  int priority = Event.DEFAULT_PRIORITY;
  Duration delay = Duration.ZERO;
  @Nullable Instant availableAt;

  EventBuilder(String type) {
    this.type = Objects.requireNonNull(type, "type");
  }

  /** Sets the text that comes with the event; replaces the empty one. */
  public EventBuilder payload(String payload) {
    this.payload = Objects.requireNonNull(payload, "payload");
    return this;
  }

  /** Adds a header; replaces the one of that name. */
  public EventBuilder header(String name, String value) {
    headers.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
    return this;
  }

  /** Adds headers; replaces those of the same names. */
  public EventBuilder headers(Map<String, String> headers) {
    Objects.requireNonNull(headers, "headers").forEach(this::header);
    return this;
  }

  /** Sets the priority, from 0, which goes first, to 9; replaces 5. */
  public EventBuilder priority(int priority) {
    this.priority = priority;
    return this;
  }

  /** Has the event wait, counted by the database's clock; replaces any moment set before. */
  public EventBuilder delay(Duration delay) {
    this.delay = Objects.requireNonNull(delay, "delay");
    this.availableAt = null;
    return this;
  }

  /** Has the event wait for a moment of the database's clock; replaces any delay set before. */
  public EventBuilder availableAt(Instant availableAt) {
    this.availableAt = Objects.requireNonNull(availableAt, "availableAt");
    this.delay = Duration.ZERO;
    return this;
  }

  /**
   * The event, to be published.
   *
   * @throws IllegalArgumentException if something is not valid, naming all of it
   */
  public Event build() {
    Problems problems =
        new Problems("Event")
            .require(
                !type.isBlank() && type.length() <= Event.MAX_TYPE_LENGTH,
                "type",
                "have 1 to " + Event.MAX_TYPE_LENGTH + " characters",
                type)
            .require(
                type.isBlank() || type.strip().equals(type),
                "type",
                "have no white space at its ends, which MariaDB would not tell from none,",
                type)
            .require(
                priority >= Event.FIRST_PRIORITY && priority <= Event.LAST_PRIORITY,
                "priority",
                "be " + Event.FIRST_PRIORITY + " to " + Event.LAST_PRIORITY,
                priority)
            .requireZeroOrMore("delay", delay)
            .require(
                availableAt == null
                    || (!availableAt.isBefore(Instant.EPOCH) && availableAt.isBefore(LATEST)),
                "availableAt",
                "be from 1970 to 9998",
                availableAt);
    requireStorable(problems, "type", type);
    requireStorable(problems, "payload", payload);
    problems.throwIfAny();
    return new Event(this, null);
  }

  /** The event as it was read from the table; what is in the table is not checked again. */
  public Event claimed(Claim claim) {
    return new Event(this, Objects.requireNonNull(claim, "claim"));
  }

  /** Every database keeps such texts as they are; others one would refuse or another change. */
  private static void requireStorable(Problems problems, String what, String text) {
    int at = firstUnstorable(text);
    if (at >= 0) {
      problems.add(
          "%s must have neither U+0000 nor half a surrogate pair, which not every database keeps, but has U+%04X at position %d; encode it"
              .formatted(what, (int) text.charAt(at), at));
    }
  }

  private static int firstUnstorable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0 || Character.isLowSurrogate(c)) {
        return i;
      }
      if (Character.isHighSurrogate(c)) {
        if (i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }
}
