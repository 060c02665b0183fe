package demo.outbox.spring;

import holdfast.payload.PayloadType;

/**
 * What listeners are told of an order. Immutable.
 *
 * @param orderId its number
 * @param item what was ordered
 */
@PayloadType("OrderPlaced")
record OrderPlaced(long orderId, String item) {}
