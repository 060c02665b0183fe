package tracer;

import holdfast.ledger.LedgerSnapshot;

/**
 * What closing a tracer has left.
 *
 * @param inTime whether all threads had ended when the time was up; if not, the sink has not
 *     answered, and what it was given last is still held
 * @param ledger the ledger at the end
 */
public record CloseReport(boolean inTime, LedgerSnapshot ledger) {

  /** How many events were dropped in the whole life of the tracer. */
  public long dropped() {
    return ledger.lost();
  }

  /** How many events are neither with the sink nor counted as dropped. */
  public long held() {
    return ledger.held();
  }
}
