package holdfast.micrometer;

import static holdfast.micrometer.MeterInfo.counter;
import static holdfast.micrometer.MeterInfo.gauge;

/** The meters of a room's books; each has a tag {@code room}. */
public enum BooksMeter implements ListedMeter {
  /** What entered. */
  ACCEPTED(counter("holdfast.books.accepted", "What entered the room.")),
  /** What an earlier life of the process had left behind. */
  FOUND(
      counter(
          "holdfast.books.found",
          "What an earlier life of the process had left behind and this one found.")),
  /** What reached its destination. */
  DELIVERED(counter("holdfast.books.delivered", "What reached its destination.")),
  /** What is gone for good; with a tag {@code reason}. */
  LOST(counter("holdfast.books.lost", "What is gone for good, by the tag reason.")),
  /** What the room counts as still there; with a tag {@code place}. */
  HELD(gauge("holdfast.books.held", "What is still there, by the tag place.")),
  /** What should be held but is in no place; zero at rest. */
  UNACCOUNTED(
      gauge(
          "holdfast.books.unaccounted",
          "What should be held but is found in no place; zero at rest."));

  /** The tag that names the room: {@value}. */
  public static final String ROOM_TAG = "room";

  /** The tag that names why something was lost: {@value}. */
  public static final String REASON_TAG = "reason";

  /** The tag that names where something is held: {@value}. */
  public static final String PLACE_TAG = "place";

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts is
  private final MeterInfo info;

  BooksMeter(MeterInfo info) {
    this.info = info;
  }

  @Override
  public MeterInfo info() {
    return info;
  }
}
