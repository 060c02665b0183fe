/**
 * Takes the data source that all share. Wires each product as its documentation recommends for
 * speed, and plain JDBC as the limit. Hands each on as a {@link benchmarks.Contender}.
 */
@NullMarked
package benchmarks.contenders;

import org.jspecify.annotations.NullMarked;
