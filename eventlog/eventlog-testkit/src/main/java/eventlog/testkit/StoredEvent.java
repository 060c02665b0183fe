package eventlog.testkit;

/**
 * An event as the server has stored it. Immutable.
 *
 * @param idempotencyKey what tells it from every other event
 * @param correlationId what belongs together across systems
 * @param traceId the trace it belongs to
 * @param json the event as it was sent, one JSON object
 * @param copies how often it came
 */
public record StoredEvent(
    String idempotencyKey, String correlationId, String traceId, String json, int copies) {

  /**
   * Returns a field of the event.
   *
   * @param name the name of the field, such as {@code summary}
   * @return a text as it is, any other value as JSON; empty if the event has no such field
   */
  public String field(String name) {
    return JsonText.text(JsonText.fields(json).getOrDefault(name, "\"\""));
  }
}
