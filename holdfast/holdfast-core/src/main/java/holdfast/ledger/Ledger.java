package holdfast.ledger;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * The running delivery ledger of one library in one process.
 *
 * <pre>{@code
 * Ledger ledger = Ledger.builder("eventlog")
 *     .reasons(List.of(LossReason.values()))
 *     .held("queue", queue::size)
 *     .build();
 * ledger.accepted(1);
 * ledger.lost(LossReason.QUEUE_FULL, 1);
 * ledger.snapshot().isAccountedFor();
 * }</pre>
 *
 * <p>Safe for use by many threads; counting is one addition to a striped counter.
 */
public final class Ledger {
  /*
   * Why a snapshot never shows more out than in: a thread that counts an event out has seen it
   * counted in (count it in before handing it on). The snapshot reads every outgoing counter first
   * and the incoming ones last, so each event that it saw leave, it also saw enter.
   */
  private final String library;
  private final LongAdder accepted = new LongAdder();
  private final LongAdder recoveredAtStartup = new LongAdder();
  private final LongAdder delivered = new LongAdder();
  private final LongAdder inTransit = new LongAdder();
  private final Map<Reason, LongAdder> lost;
  private final Map<String, LongSupplier> places;

  private Ledger(Builder builder) {
    this.library = builder.library;
    this.lost = new LinkedHashMap<>();
    builder.reasons.forEach(reason -> lost.put(reason, new LongAdder()));
    requireDistinctCodes();
    this.places = new LinkedHashMap<>(builder.places);
  }

  private void requireDistinctCodes() {
    long codes = lost.keySet().stream().map(Reason::code).distinct().count();
    if (codes != lost.size()) {
      throw new IllegalArgumentException(
          "the ledger of "
              + library
              + " must have one reason for each code but has "
              + lost.keySet().stream().map(Reason::code).toList());
    }
  }

  /**
   * Starts the ledger of a library.
   *
   * @param library the library: {@code eventlog}
   * @return a builder with no reason and no place
   */
  public static Builder builder(String library) {
    return new Builder(library);
  }

  /**
   * Counts accepted events. Must be called before they are handed on, so that no thread can count
   * them out earlier.
   *
   * @param count how many
   */
  public void accepted(long count) {
    accepted.add(positive(count));
  }

  /** Returns how many events were accepted. */
  public long accepted() {
    return accepted.sum();
  }

  /**
   * Counts events that an earlier process left, on disk for example, and this one recovered.
   *
   * @param count how many
   */
  public void recoveredAtStartup(long count) {
    recoveredAtStartup.add(positive(count));
  }

  /**
   * Counts events that reached their destination.
   *
   * @param count how many
   */
  public void delivered(long count) {
    delivered.add(positive(count));
  }

  /**
   * Counts events that are gone for good.
   *
   * @param reason why, one of the reasons the ledger was built with
   * @param count how many
   * @throws IllegalArgumentException if the ledger was not built with that reason
   */
  public void lost(Reason reason, long count) {
    LongAdder counter = lost.get(reason);
    if (counter == null) {
      throw new IllegalArgumentException(
          "the ledger of "
              + library
              + " has no reason '"
              + reason.code()
              + "'; build the ledger with it");
    }
    counter.add(positive(count));
  }

  /**
   * Counts events whose move from one place to another begins; to be followed by {@link #moved}
   * with the same number, also if the move fails.
   *
   * @param count how many
   */
  public void moving(long count) {
    inTransit.add(positive(count));
  }

  /**
   * Counts events whose move has ended.
   *
   * @param count how many
   */
  public void moved(long count) {
    inTransit.add(-positive(count));
  }

  private static long positive(long count) {
    if (count < 0) {
      throw new IllegalArgumentException("count must be 0 or more but was " + count);
    }
    return count;
  }

  /** Returns the ledger at this moment. */
  public LedgerSnapshot snapshot() {
    Map<String, Long> lostNow = new LinkedHashMap<>();
    lost.forEach((reason, counter) -> lostNow.put(reason.code(), counter.sum()));
    long deliveredNow = delivered.sum();
    Map<String, Long> heldNow = new LinkedHashMap<>();
    places.forEach((place, size) -> heldNow.put(place, size.getAsLong()));
    // Added up from stripes one after the other, a sum may miss the beginning of a move.
    long inTransitNow = Math.max(0, inTransit.sum());
    return new LedgerSnapshot(
        library,
        accepted.sum(),
        recoveredAtStartup.sum(),
        deliveredNow,
        lostNow,
        heldNow,
        inTransitNow);
  }

  /** Settings of a {@link Ledger}. Not safe for use by many threads. */
  public static final class Builder {
    private final String library;
    private List<? extends Reason> reasons = List.of();
    private final Map<String, LongSupplier> places = new LinkedHashMap<>();

    private Builder(String library) {
      this.library = Objects.requireNonNull(library, "library");
    }

    /**
     * Sets every reason for which the library can lose an event; replaces those set before.
     *
     * @param reasons all constants of the library's enum
     * @return this
     */
    public Builder reasons(List<? extends Reason> reasons) {
      this.reasons = List.copyOf(reasons);
      return this;
    }

    /**
     * Adds a place where the library holds events, and how to count them there; replaces the count
     * set before for the same place.
     *
     * @param place a word for it: queue, disk, dead
     * @param size counts what is there now; must not throw
     * @return this
     */
    public Builder held(String place, LongSupplier size) {
      places.put(place, Objects.requireNonNull(size, "size"));
      return this;
    }

    /** Returns the ledger, with nothing counted. */
    public Ledger build() {
      return new Ledger(this);
    }
  }
}
