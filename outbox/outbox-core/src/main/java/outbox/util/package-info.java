/**
 * Takes texts that must be JSON. Reads and writes maps of texts, and finds the first mistake in any
 * JSON, without a library. Hands on what the table's JSON columns hold.
 */
@NullMarked
package outbox.util;

import org.jspecify.annotations.NullMarked;
