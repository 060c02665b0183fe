/**
 * Takes events over HTTP, as the Event Log API does, in the process of a test. Stores each of them
 * once, in memory unless told otherwise, or fails in the way it was told to. Hands back what it has
 * stored.
 */
@NullMarked
package eventlog.testkit;

import org.jspecify.annotations.NullMarked;
