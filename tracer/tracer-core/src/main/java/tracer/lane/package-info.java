/**
 * Takes every question of whose ring it is: spare, being written, waiting, being drained. Finds a
 * writer the next ring, decides what is dropped when there is none and counts it with its reason.
 * Hands rings that are full, or were asked for, to {@link tracer.drain}.
 */
@NullMarked
package tracer.lane;

import org.jspecify.annotations.NullMarked;
