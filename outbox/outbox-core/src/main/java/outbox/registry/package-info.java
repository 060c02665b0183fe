/**
 * Takes listeners when the application starts. Keeps them by event type, in the order they came.
 * Hands the dispatcher those that match an event.
 */
@NullMarked
package outbox.registry;

import org.jspecify.annotations.NullMarked;
