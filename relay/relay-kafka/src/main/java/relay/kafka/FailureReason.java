package relay.kafka;

/** Why an event that was handed to a {@link KafkaRelay} was not acknowledged by the broker. */
public enum FailureReason {
  /** The record is larger than the producer, the topic or the broker takes; the event is dead. */
  RECORD_TOO_LARGE("record_too_large"),

  /** The topic does not exist; the event is dead. */
  UNKNOWN_TOPIC("unknown_topic"),

  /** The name of the topic is not one that Kafka takes; the event is dead. */
  INVALID_TOPIC("invalid_topic"),

  /** The client may not write to the topic; the event is dead. */
  NOT_AUTHORIZED("not_authorized"),

  /** No record can be made of the event, or the topic refuses its content; the event is dead. */
  INVALID_EVENT("invalid_event"),

  /** The broker did not acknowledge the record in time; the event is tried again. */
  BROKER_UNAVAILABLE("broker_unavailable"),

  /** The relay was paused, and the event was not sent; it is tried again. */
  PAUSED("paused"),

  /** The relay was closed or not started; the event is tried again. */
  CLOSED("closed"),

  /** The outbox cancelled the delivery, at its time limit or because it was closed. */
  CANCELLED("cancelled"),

  /** Something else failed; the outbox tries the event again as after any failure. */
  OTHER("other");

  private final String code;

  FailureReason(String code) {
    this.code = code;
  }

  /** Returns the exact spelling in ledgers and meters: {@code record_too_large}. */
  public String code() {
    return code;
  }
}
