/**
 * Takes events from the hot path and from the poller. Runs their listeners on a bounded number of
 * workers, holds their leases meanwhile, and writes down how it ended. Hands an event to each
 * listener at least once, and never to two workers of one node at a time.
 */
@NullMarked
package outbox.dispatch;

import org.jspecify.annotations.NullMarked;
