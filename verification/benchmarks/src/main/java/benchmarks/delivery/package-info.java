/**
 * Measures the delivery engine where it used to be slow: large transactions, events of a killed
 * node, large events, handlers that wait for a remote answer. Prints one line for each.
 */
@NullMarked
package benchmarks.delivery;

import org.jspecify.annotations.NullMarked;
