package demo.outbox;

import holdfast.payload.PayloadType;

/** What happens to the orders of the demo. Immutable. */
sealed interface OrderEvent {

  /** Mailed; always succeeds. */
  @PayloadType("OrderPlaced")
  record Placed(int order) implements OrderEvent {}

  /** Printed in the warehouse; the printer hangs until it is repaired. */
  @PayloadType("OrderPicked")
  record Picked(int order) implements OrderEvent {}

  /** Booked by the bank, which does not answer the first time. */
  @PayloadType("OrderPaid")
  record Paid(int order) implements OrderEvent {}

  /** Written to the archive, whose disk is full until there is room. */
  @PayloadType("OrderArchived")
  record Archived(int order) implements OrderEvent {}

  /** Returns the number of the order. */
  int order();
}
