/**
 * Takes the records of one writer. Lays them out in a ring, an equal block of memory in which the
 * oldest can be overwritten, and publishes each by one ordered store. Hands whoever owns the ring,
 * or a copy of it, a {@link tracer.ring.RingReader} for the way to the sink.
 */
@NullMarked
package tracer.ring;

import org.jspecify.annotations.NullMarked;
