package eventlog;

/**
 * The fields that many events have in common, so that each event sets only its own. Immutable, as
 * far as the values in its maps are; safe for use by many threads.
 *
 * <pre>{@code
 * EventLogTemplate shop = EventLogEntry.builder()
 *     .applicationId("shop").targetSystem("warehouse").originatingSystem("web")
 *     .processName("PlaceOrder").eventStatus(EventStatus.SUCCESS)
 *     .toTemplate();
 *
 * logger.log(shop.event().correlationId("order-42").traceId(trace)
 *     .eventType(EventType.STEP).summary("Stock reserved").result("3 items").build());
 * }</pre>
 */
public final class EventLogTemplate {
  private final EventLogEntryBuilder fields;

  EventLogTemplate(EventLogEntryBuilder fields) {
    this.fields = fields.copy();
  }

  /** Starts an event with the fields of the template; each of them can be set to something else. */
  public EventLogEntryBuilder event() {
    return fields.copy();
  }
}
