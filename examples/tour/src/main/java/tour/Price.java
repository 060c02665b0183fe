package tour;

/**
 * What an item costs. Immutable.
 *
 * @param item the item
 * @param cents its price
 */
record Price(String item, long cents) {}
