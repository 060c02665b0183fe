/**
 * The tracer beside the queues and rings that one would take instead of it.
 *
 * <p>{@link benchmarks.tracer.TraceCost} and {@link benchmarks.tracer.TraceOverload} are benchmarks
 * for JMH; the others measure whole runs.
 */
@NullMarked
package benchmarks.tracer;

import org.jspecify.annotations.NullMarked;
