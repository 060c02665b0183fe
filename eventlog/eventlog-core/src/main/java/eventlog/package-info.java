/**
 * Takes events from any thread without ever making it wait. Sends them to the Event Log API, keeps
 * them on disk while it is down, and sends them from there by itself afterwards. Hands each event
 * to the API at least once, or to the {@link eventlog.EventLossCallback} with a reason; {@link
 * eventlog.AsyncEventLogger} is the entry point.
 */
@NullMarked
package eventlog;

import org.jspecify.annotations.NullMarked;
