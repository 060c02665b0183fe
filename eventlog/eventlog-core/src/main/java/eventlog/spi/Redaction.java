package eventlog.spi;

import eventlog.EventLogEntry;
import java.util.Collection;
import java.util.List;

/**
 * Takes out of an event what must not leave the process. Runs on the logger's own threads, before
 * the event is sent, written to disk, or told to the callback for losses.
 *
 * <pre>{@code
 * Redaction.ofFields("password", "cardNumber")
 *     .andThen(event -> event.toBuilder().accountId(null).build())
 * }</pre>
 *
 * <p>An event passes it once, and once more if it comes from disk, where it may have been written
 * before there was a redaction: what it returns, it must return again when it is given that. The
 * event keeps its {@code idempotencyKey}, whatever the redaction sets, so that the API knows it. If
 * it fails, the event is lost as {@code redaction_failed}; nobody is shown what it held.
 *
 * <p>Must be safe for use by many threads, and quick.
 */
@FunctionalInterface
public interface Redaction {

  /** What stands in the place of what was taken out: {@value}. */
  String MASK = "***";

  /**
   * The event as others may see it.
   *
   * @param event as it was logged
   * @return the same event, or one to be used in its place; see {@link EventLogEntry#toBuilder()}
   */
  EventLogEntry redact(EventLogEntry event);

  /**
   * Masks the values of fields with these names in {@code requestPayload}, {@code responsePayload},
   * {@code metadata} and {@code identifiers}, at any depth, also in JSON that is the text of a
   * value. Upper and lower case are the same.
   *
   * <p>A payload that is not JSON, or only the beginning of it, is masked as a whole if one of the
   * names is a word in it, also one that is written with escapes of JSON or of addresses.
   *
   * <p>In {@code summary}, {@code result}, {@code endpoint}, {@code errorMessage} and the texts in
   * maps, which people read, a name is a field only with a value: {@code name=value}, {@code name:
   * value} or JSON in the text. The value is masked to the end of its quotes, else to the next
   * {@code &} or the end of the line.
   *
   * @param names the names of the fields, none of them blank
   * @return the redaction
   * @throws IllegalArgumentException if a name is blank
   */
  static Redaction ofFields(Collection<String> names) {
    return new FieldRedaction(new FieldNames(names));
  }

  /** The same as {@link #ofFields(Collection)}. */
  static Redaction ofFields(String... names) {
    return ofFields(List.of(names));
  }

  /** First this one, then the other with what came of it. */
  default Redaction andThen(Redaction next) {
    return event -> next.redact(redact(event));
  }
}
