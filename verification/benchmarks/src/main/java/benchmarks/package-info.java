/**
 * Takes a real PostgreSQL and several ways to publish an event with a transaction. Measures them
 * side by side, in rounds, so that what disturbs the machine disturbs all of them. Hands on tables
 * of ratios.
 */
@NullMarked
package benchmarks;

import org.jspecify.annotations.NullMarked;
