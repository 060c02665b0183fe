package holdfast.ledger;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * The running books of one room in one process.
 *
 * <pre>{@code
 * Ledger ledger = Ledger.builder("eventlog")
 *     .reasons(List.of(LossReason.values()))
 *     .held("queue", queue::size)
 *     .build();
 * ledger.accepted(1);
 * ledger.lost(LossReason.QUEUE_FULL, 1);
 * ledger.books().isBalanced();
 * }</pre>
 *
 * <p>Safe for use by many threads; counting is one addition to a striped counter.
 */
public final class Ledger {
  /*
   * Why a snapshot never shows more out than in: whoever counts something out has seen it counted in
   * (note it in before handing it on). The snapshot reads every counter of the way out first and the
   * way in last, so whatever it saw leave, it also saw enter. What moves in between is shown as held.
   */
  private final String room;
  private final LongAdder accepted = new LongAdder();
  private final LongAdder found = new LongAdder();
  private final LongAdder delivered = new LongAdder();
  private final Map<Reason, LongAdder> lost;
  private final Map<String, LongSupplier> places;

  private Ledger(Builder builder) {
    this.room = builder.room;
    this.lost = new LinkedHashMap<>();
    builder.reasons.forEach(reason -> lost.put(reason, new LongAdder()));
    requireDistinctCodes();
    this.places = new LinkedHashMap<>(builder.places);
  }

  private void requireDistinctCodes() {
    long codes = lost.keySet().stream().map(Reason::code).distinct().count();
    if (codes != lost.size()) {
      throw new IllegalArgumentException(
          "the books of "
              + room
              + " must have one reason for each code but have "
              + lost.keySet().stream().map(Reason::code).toList());
    }
  }

  /**
   * Starts the books of a room.
   *
   * @param room the room's word
   * @return a builder with no reason and no place
   */
  public static Builder builder(String room) {
    return new Builder(room);
  }

  /**
   * Notes what entered; before it is handed on, so that nobody can count it out earlier.
   *
   * @param count how many
   */
  public void accepted(long count) {
    accepted.add(positive(count));
  }

  /** How much has entered. */
  public long accepted() {
    return accepted.sum();
  }

  /**
   * Notes what an earlier life of this process left behind and this one found, on disk say.
   *
   * @param count how many
   */
  public void found(long count) {
    found.add(positive(count));
  }

  /**
   * Notes what reached its destination.
   *
   * @param count how many
   */
  public void delivered(long count) {
    delivered.add(positive(count));
  }

  /**
   * Notes what is gone for good.
   *
   * @param reason why, one of the reasons the ledger was built with
   * @param count how many
   * @throws IllegalArgumentException if the ledger was not built with that reason
   */
  public void lost(Reason reason, long count) {
    LongAdder counter = lost.get(reason);
    if (counter == null) {
      throw new IllegalArgumentException(
          "the books of "
              + room
              + " have no reason '"
              + reason.code()
              + "'; build the ledger with it");
    }
    counter.add(positive(count));
  }

  private static long positive(long count) {
    if (count < 0) {
      throw new IllegalArgumentException("count must be 0 or more but was " + count);
    }
    return count;
  }

  /** The books as they stand. */
  public Books books() {
    Map<String, Long> lostNow = new LinkedHashMap<>();
    lost.forEach((reason, counter) -> lostNow.put(reason.code(), counter.sum()));
    long deliveredNow = delivered.sum();
    Map<String, Long> heldNow = new LinkedHashMap<>();
    places.forEach((place, size) -> heldNow.put(place, size.getAsLong()));
    return new Books(room, accepted.sum(), found.sum(), deliveredNow, lostNow, heldNow);
  }

  /** Settings of a {@link Ledger}. Not safe for use by many threads. */
  public static final class Builder {
    private final String room;
    private List<? extends Reason> reasons = List.of();
    private final Map<String, LongSupplier> places = new LinkedHashMap<>();

    private Builder(String room) {
      this.room = Objects.requireNonNull(room, "room");
    }

    /**
     * Sets every reason for which the room can lose something; replaces those set before.
     *
     * @param reasons all constants of the room's enum
     * @return this
     */
    public Builder reasons(List<? extends Reason> reasons) {
      this.reasons = List.copyOf(reasons);
      return this;
    }

    /**
     * Adds a place where the room holds things, and how to count them there; replaces the count set
     * before for the same place.
     *
     * @param place a word for it: queue, disk, dead
     * @param size counts what is there now; must not throw
     * @return this
     */
    public Builder held(String place, LongSupplier size) {
      places.put(place, Objects.requireNonNull(size, "size"));
      return this;
    }

    /** The ledger, with nothing counted. */
    public Ledger build() {
      return new Ledger(this);
    }
  }
}
