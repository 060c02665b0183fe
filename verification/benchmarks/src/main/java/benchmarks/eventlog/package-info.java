/**
 * The event log beside what it is built from: a queue of the JDK, Jackson and plain files.
 *
 * <p>{@link benchmarks.eventlog.LogCost} is a benchmark for JMH; the others measure whole runs.
 */
@NullMarked
package benchmarks.eventlog;

import org.jspecify.annotations.NullMarked;
