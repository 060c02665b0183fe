package holdfast.spring.boot;

import holdfast.ledger.LedgerSnapshot;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The delivery ledger of a library as an endpoint answers it: accepted + recoveredAtStartup =
 * delivered + held + lost. Actuator writes it as JSON and leaves out what is null. Immutable.
 *
 * @param accepted how many events the library ever accepted
 * @param recoveredAtStartup how many events of an earlier process were recovered; null where a
 *     table keeps the ledger
 * @param delivered how many events reached their destination, purged or not
 * @param held how many events are still there
 * @param heldBy the same by place or status
 * @param lost how many events are gone for good
 * @param lostBy the same by reason
 * @param inTransit how many events are between two places
 * @param unaccounted how many events must still be there but are counted in no place
 */
public record LedgerAnswer(
    long accepted,
    @Nullable Long recoveredAtStartup,
    long delivered,
    long held,
    Map<String, Long> heldBy,
    long lost,
    Map<String, Long> lostBy,
    long inTransit,
    long unaccounted) {

  /** Returns the answer for a ledger that a table keeps, for all nodes together. */
  public static LedgerAnswer ofTable(LedgerSnapshot ledger) {
    return of(ledger, null);
  }

  /** Returns the answer for a ledger that a process keeps in memory. */
  public static LedgerAnswer ofProcess(LedgerSnapshot ledger) {
    return of(ledger, ledger.recoveredAtStartup());
  }

  private static LedgerAnswer of(LedgerSnapshot ledger, @Nullable Long recoveredAtStartup) {
    return new LedgerAnswer(
        ledger.accepted(),
        recoveredAtStartup,
        ledger.delivered(),
        ledger.held(),
        ledger.heldByPlace(),
        ledger.lost(),
        ledger.lostByReason(),
        ledger.inTransit(),
        ledger.unaccounted());
  }
}
