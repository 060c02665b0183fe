/**
 * Takes due events out of the table, many at a time and no more than its workers can use soon. Runs
 * their handlers, keeps the claims while it does, and collects how each ended. Hands the outcomes
 * back to the table in batches: finished, to be tried again, or released.
 */
@NullMarked
package eventbus.work;

import org.jspecify.annotations.NullMarked;
