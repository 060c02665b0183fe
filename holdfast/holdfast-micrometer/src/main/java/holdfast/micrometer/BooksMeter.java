package holdfast.micrometer;

/** The meters of a room's books; each has a tag {@code room}. */
public enum BooksMeter {
  /** What entered. */
  ACCEPTED("holdfast.books.accepted", Kind.COUNTER, "What entered the room."),
  /** What an earlier life of the process had left behind. */
  FOUND(
      "holdfast.books.found",
      Kind.COUNTER,
      "What an earlier life of the process had left behind and this one found."),
  /** What reached its destination. */
  DELIVERED("holdfast.books.delivered", Kind.COUNTER, "What reached its destination."),
  /** What is gone for good; with a tag {@code reason}. */
  LOST("holdfast.books.lost", Kind.COUNTER, "What is gone for good, by the tag reason."),
  /** What the room counts as still there; with a tag {@code place}. */
  HELD("holdfast.books.held", Kind.GAUGE, "What is still there, by the tag place."),
  /** What should be held but is in no place; zero at rest. */
  UNACCOUNTED(
      "holdfast.books.unaccounted",
      Kind.GAUGE,
      "What should be held but is found in no place; zero at rest.");

  /** How a meter's value moves. */
  public enum Kind {
    /** Only up. */
    COUNTER,
    /** Up and down. */
    GAUGE
  }

  /** The tag that names the room: {@value}. */
  public static final String ROOM_TAG = "room";

  /** The tag that names why something was lost: {@value}. */
  public static final String REASON_TAG = "reason";

  /** The tag that names where something is held: {@value}. */
  public static final String PLACE_TAG = "place";

  private final String meterName;
  private final Kind kind;
  private final String sentence;

  BooksMeter(String meterName, Kind kind, String sentence) {
    this.meterName = meterName;
    this.kind = kind;
    this.sentence = sentence;
  }

  /** The meter's name in the registry. */
  public String meterName() {
    return meterName;
  }

  /** How its value moves. */
  public Kind kind() {
    return kind;
  }

  /** What it measures, in a sentence. */
  public String sentence() {
    return sentence;
  }
}
