/**
 * Takes the outcome of each request to something downstream. Stops asking after too many failures
 * in a row, and after a rest lets one request find out whether it is well again. Hands out a permit
 * for each request that may go ahead.
 */
@NullMarked
package holdfast.breaker;

import org.jspecify.annotations.NullMarked;
