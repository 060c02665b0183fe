/**
 * Takes the place of the system's time in tests. Stands still until it is told to move, and wakes
 * who slept until then. Hands the tested code a {@link holdfast.time.TimeSource} like any other.
 */
@NullMarked
package holdfast.testkit.time;

import org.jspecify.annotations.NullMarked;
