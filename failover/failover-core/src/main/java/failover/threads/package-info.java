/**
 * Takes work that may hang: calls with a timeout, and reads and writes of stores. Does it on a
 * bounded number of threads that points share. Hands back what found no thread.
 */
@NullMarked
package failover.threads;

import org.jspecify.annotations.NullMarked;
