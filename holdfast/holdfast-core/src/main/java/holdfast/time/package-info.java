/**
 * Takes the place of the system's clock and of sleeping. Tells the time and wakes who waits for it,
 * through {@link holdfast.time.TimeSource}. Hands tests the chance to set both.
 */
@NullMarked
package holdfast.time;

import org.jspecify.annotations.NullMarked;
