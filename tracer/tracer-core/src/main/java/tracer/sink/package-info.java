/**
 * Takes batches of events and marks of lost ones, on one thread. Says what a {@link
 * tracer.sink.TraceSink} must do with them; whoever wants events elsewhere implements it. Hands
 * back whether they are safe.
 */
@NullMarked
package tracer.sink;

import org.jspecify.annotations.NullMarked;
