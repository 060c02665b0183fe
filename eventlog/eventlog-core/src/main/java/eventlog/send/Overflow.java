package eventlog.send;

import eventlog.EventLogEntry;
import eventlog.LossReason;

/** Where events go that cannot be sent. Safe for use by many threads; none of it waits. */
public interface Overflow {

  /**
   * Takes an event.
   *
   * @param event the event
   * @param whenOff why it is lost if there is no other place for it
   * @return false if it was lost; the ledger and the callback know
   */
  boolean take(InFlightEvent event, LossReason whenOff);

  /**
   * Sets an event aside that the API will never take.
   *
   * @param entry the event, redacted
   * @param problem why, for people
   */
  void setAside(EventLogEntry entry, String problem);

  /** Whether there is another place at all. */
  boolean isOn();

  /** How many events it could take now. */
  int room();

  /** The place of a logger without spillover: none. */
  static Overflow none(EventLogLedger ledger) {
    return new Overflow() {
      @Override
      public boolean take(InFlightEvent event, LossReason whenOff) {
        ledger.lost(event, whenOff);
        return false;
      }

      @Override
      public void setAside(EventLogEntry entry, String problem) {
        ledger.lost(entry, LossReason.REJECTED_BY_API);
      }

      @Override
      public boolean isOn() {
        return false;
      }

      @Override
      public int room() {
        return 0;
      }
    };
  }
}
