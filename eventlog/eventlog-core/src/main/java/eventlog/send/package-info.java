/**
 * Takes events from the main queue in batches. Sends them, waits and tries again after failures,
 * and leaves the API alone while the breaker is open. Hands what cannot be sent to the {@link
 * eventlog.send.Overflow}, and only the guilty event of a rejected batch to quarantine.
 */
@NullMarked
package eventlog.send;

import org.jspecify.annotations.NullMarked;
