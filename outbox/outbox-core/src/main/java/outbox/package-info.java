/**
 * Takes an event inside your transaction, through {@link outbox.OutboxClient}. Writes it with the
 * transaction and, after the commit, brings it to your {@link outbox.EventListener}s at least once.
 * Hands every step to the package named after it: dispatch, poller, registry.
 */
@NullMarked
package outbox;

import org.jspecify.annotations.NullMarked;
