package demo.outbox;

import outbox.EventType;

/** The kinds of events of the demo. */
enum OrderEvents implements EventType {
  /** Its listener always succeeds. */
  ORDER_PLACED,
  /** Its listener waits until it is told to go on. */
  ORDER_PRINTED,
  /** Its listener fails the first time. */
  ORDER_PAID,
  /** Its listener always fails. */
  ORDER_EXPORTED
}
