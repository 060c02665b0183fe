package tour;

import holdfast.payload.PayloadType;

/**
 * What is told of an order, by the outbox and on the bus. Immutable.
 *
 * @param order its number
 * @param item what was ordered
 */
@PayloadType("OrderPlaced")
record OrderPlaced(long order, String item) {}
