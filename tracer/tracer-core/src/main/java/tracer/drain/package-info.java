/**
 * Takes the rings of all writers, the oldest first, on one thread. Writes them to the sink, keeps
 * them while it fails, measures how long it takes. Hands the rings back to {@link tracer.lane}, and
 * critical events that found none to a file of their own.
 */
@NullMarked
package tracer.drain;

import org.jspecify.annotations.NullMarked;
