/**
 * Takes books from any room. Reads them when a registry asks, at most once in a while. Hands
 * Micrometer the meters listed in {@link holdfast.micrometer.BooksMeter}.
 */
@NullMarked
package holdfast.micrometer;

import org.jspecify.annotations.NullMarked;
