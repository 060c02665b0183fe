package relay.kafka;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The ledger of a relay at one moment: sent = acknowledged + failed + inFlight. A failed event is
 * not lost: it is in the table of the outbox, to be tried again or dead. An event that is tried
 * again is sent once more. Immutable.
 *
 * @param sent how many events the outbox has handed to the relay
 * @param acknowledged how many of them the broker has acknowledged
 * @param failedByReason how many of them went back to the outbox, by reason
 * @param inFlight how many of them are held or await the acknowledgement, counted by themselves
 */
public record RelayLedger(
    long sent, long acknowledged, Map<FailureReason, Long> failedByReason, long inFlight) {

  /** Copies the map. */
  public RelayLedger {
    Map<FailureReason, Long> copy = new EnumMap<>(FailureReason.class);
    copy.putAll(failedByReason);
    failedByReason = Collections.unmodifiableMap(copy);
  }

  /** Returns how many events went back to the outbox. */
  public long failed() {
    return failedByReason.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns how many events went back to the outbox for that reason. */
  public long failed(FailureReason reason) {
    return failedByReason.getOrDefault(reason, 0L);
  }

  /** Returns how many events are in no count but that of those sent; zero at rest. */
  public long unaccounted() {
    return sent - acknowledged - failed() - inFlight;
  }

  /**
   * Returns this ledger as one line of {@code key=value}, with the reasons that are not zero.
   *
   * @return for example {@code sent=9 acknowledged=6 failed=2(unknown_topic=2) inFlight=1
   *     unaccounted=0}
   */
  public String toLine() {
    StringJoiner reasons = new StringJoiner(" ", "(", ")").setEmptyValue("");
    failedByReason.forEach(
        (reason, count) -> {
          if (count != 0) {
            reasons.add(reason.code() + "=" + count);
          }
        });
    return "sent="
        + sent
        + " acknowledged="
        + acknowledged
        + " failed="
        + failed()
        + reasons
        + " inFlight="
        + inFlight
        + " unaccounted="
        + unaccounted();
  }
}
