/**
 * Takes the transaction that Spring holds for the calling thread. Finds its connection and waits
 * for its end, savepoints included. Hands both to {@link outbox.OutboxClient}.
 */
@NullMarked
package outbox.spring;

import org.jspecify.annotations.NullMarked;
