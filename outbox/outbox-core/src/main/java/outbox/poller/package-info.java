/**
 * Takes the table as it is: what a crash, a full queue or a failed delivery left there. Looks for
 * events that are due, soon after they are and no more often than needed. Hands them to the
 * dispatcher's cold queue.
 */
@NullMarked
package outbox.poller;

import org.jspecify.annotations.NullMarked;
