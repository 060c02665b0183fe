/**
 * Takes events from any thread in some tens of nanoseconds, without a lock and without garbage.
 * Keeps the newest of them in bounded memory and counts every one it has to drop, with a reason.
 * Hands the others to a {@link tracer.sink.TraceSink}; {@link tracer.Tracer} is the door.
 */
@NullMarked
package tracer;

import org.jspecify.annotations.NullMarked;
