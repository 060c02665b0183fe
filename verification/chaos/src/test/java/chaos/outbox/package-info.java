/**
 * Campaigns against the outbox: nodes in processes of their own share one table. What was committed
 * is told by business rows, what was delivered by the listeners, and why an event came again by a
 * journal of each change of the table; the audit holds the three against each other.
 */
@NullMarked
package chaos.outbox;

import org.jspecify.annotations.NullMarked;
