/**
 * Takes the number of an attempt that failed. Works out how long to wait before the next one, so
 * that a struggling downstream is not hammered. Hands on the delay; waiting is the caller's.
 */
@NullMarked
package holdfast.retry;

import org.jspecify.annotations.NullMarked;
