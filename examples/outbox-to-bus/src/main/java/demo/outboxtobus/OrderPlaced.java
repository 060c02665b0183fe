package demo.outboxtobus;

import holdfast.payload.PayloadType;

/**
 * What is told of an order, by the outbox and on the bus. Immutable.
 *
 * @param order its number
 */
@PayloadType("OrderPlaced")
record OrderPlaced(int order) {}
