/**
 * Takes work that may hang: calls with a timeout, and reads and writes of stores. Does it on a
 * bounded number of threads that points share. Hands back what found no thread. Notes for each
 * thread what the sources that run on it were given that was not live.
 */
@NullMarked
package failover.threads;

import org.jspecify.annotations.NullMarked;
