package demo.outbox;

import outbox.EventType;

/** The kinds of events of the demo. */
enum OrderEvents implements EventType {
  /** Mailed; always succeeds. */
  ORDER_PLACED,
  /** Printed in the warehouse; the printer hangs until it is repaired. */
  ORDER_PICKED,
  /** Booked by the bank, which does not answer the first time. */
  ORDER_PAID,
  /** Written to the archive, whose disk is full until there is room. */
  ORDER_ARCHIVED
}
