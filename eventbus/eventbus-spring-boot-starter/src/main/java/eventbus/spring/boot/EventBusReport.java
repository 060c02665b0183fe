package eventbus.spring.boot;

import eventbus.EventBus;
import eventbus.EventBusException;
import eventbus.spring.boot.EventBusAnswers.NodeNumbers;
import eventbus.spring.boot.EventBusAnswers.Report;
import eventbus.spring.boot.EventBusAnswers.Waiting;
import holdfast.spring.boot.LedgerAnswer;
import holdfast.spring.boot.PausedAnswer;

/**
 * Gathers the endpoint's numbers. Those of the node are there also while the database is not. Safe
 * for use by many threads.
 */
final class EventBusReport {
  private final EventBus bus;

  EventBusReport(EventBus bus) {
    this.bus = bus;
  }

  Report read() {
    try {
      return new Report(
          LedgerAnswer.ofTable(bus.ledger()),
          Waiting.of(bus.backlog()),
          bus.lag().toString(),
          PausedAnswer.nullIfNone(bus.control()),
          null,
          node());
    } catch (EventBusException e) {
      return new Report(null, null, null, null, e.getMessage(), node());
    }
  }

  private NodeNumbers node() {
    return new NodeNumbers(bus.inFlight(), bus.counts(), bus.router().types());
  }
}
