/**
 * Takes events from any thread of any pod, in a transaction of their own or in the caller's. Keeps
 * them in a table until a worker has them, through {@link eventbus.EventBus}. Hands each to one
 * worker, whose {@link eventbus.EventRouter} runs the handlers of its type, and then to the log.
 */
@NullMarked
package eventbus;

import org.jspecify.annotations.NullMarked;
