package failover;

import holdfast.ledger.Reason;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the last protected call on a thread ended, for callers that can change neither the method nor
 * its answer. Immutable.
 *
 * @param name the point
 * @param kind how it ended
 * @param asOf what moment the answer is of; for a failed call, when it began
 * @param failure the failure of the source, or null for a live answer
 */
public record FailoverOutcome(String name, Kind kind, Instant asOf, @Nullable Throwable failure) {
  private static final ThreadLocal<@Nullable Noted> LAST = new ThreadLocal<>();

  /** How a call ends; each call ends in exactly one way. */
  public enum Kind {
    /** The source answered. */
    LIVE,
    /**
     * The source failed or was slow, and a stored answer was given; or the source has made its
     * answer of one that another point has recovered.
     */
    RECOVERED,
    /** The source failed, and there was nothing to give. */
    FAILED
  }

  /** The outcome of the last call that ended on this thread; empty if there was none. */
  public static Optional<FailoverOutcome> last() {
    return Optional.ofNullable(LAST.get()).map(Noted::outcome);
  }

  /** Forgets the last outcome of this thread, as before work for somebody else. */
  public static void clear() {
    LAST.remove();
  }

  static void note(String name, Kind kind, Instant asOf, @Nullable Throwable failure) {
    Noted last = LAST.get();
    if (last == null) {
      last = new Noted(name, kind);
      LAST.set(last);
    }
    last.set(name, kind, asOf, failure);
  }

  /**
   * The last outcome of a thread, in fields: every call notes one, and hardly anybody asks for it.
   * Confined to one thread.
   */
  private static final class Noted {
    private String name;
    private Kind kind;
    private long second;
    private int nano;
    private @Nullable Throwable failure;

    Noted(String name, Kind kind) {
      this.name = name;
      this.kind = kind;
    }

    /** Writes references only where they differ, since the collector has to hear of each. */
    @SuppressWarnings("ReferenceEquality") // whether there is anything to write
    void set(String name, Kind kind, Instant asOf, @Nullable Throwable failure) {
      if (this.name != name) {
        this.name = name;
      }
      if (this.kind != kind) {
        this.kind = kind;
      }
      if (this.failure != failure) {
        this.failure = failure;
      }
      this.second = asOf.getEpochSecond();
      this.nano = asOf.getNano();
    }

    FailoverOutcome outcome() {
      return new FailoverOutcome(name, kind, Instant.ofEpochSecond(second, nano), failure);
    }
  }

  /** Why a call got neither a live nor a stored answer. */
  public enum FailureReason implements Reason {
    /** No answer was stored under the key, or the last one was null. */
    NOTHING_STORED("nothing_stored"),
    /** The stored answer was too old. */
    EXPIRED("expired"),
    /** What is stored cannot be read as the point's type: another version, or broken. */
    UNREADABLE("unreadable"),
    /** Too few slices of the answer were found. */
    INCOMPLETE("incomplete"),
    /** The splitter of the point failed. */
    SPLITTER_FAILED("splitter_failed"),
    /** The store failed. */
    STORE_FAILED("store_failed"),
    /** No thread was free for a call with a timeout within its time. */
    NO_THREAD("no_thread"),
    /** The point is told not to recover such failures. */
    NOT_RECOVERABLE("not_recoverable"),
    /** An argument allows no key. */
    UNKEYABLE("unkeyable"),
    /** An {@link Error}, which is nobody's to hide. */
    ERROR("error");

    private final String code;

    FailureReason(String code) {
      this.code = code;
    }

    @Override
    public String code() {
      return code;
    }
  }
}
