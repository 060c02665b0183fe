package eventlog;

/**
 * Is told of every event that is gone for good.
 *
 * <p>Called on the thread that lost the event, which may be the one that logged it: it should be
 * quick. What it throws is logged and goes no further; what it logs itself is not accepted.
 */
@FunctionalInterface
public interface EventLossCallback {

  /**
   * Takes note of a loss.
   *
   * @param event the event, redacted if there is a redaction
   * @param reason the {@link LossReason#code()} of why it was lost
   */
  void onEventLoss(EventLogEntry event, String reason);
}
