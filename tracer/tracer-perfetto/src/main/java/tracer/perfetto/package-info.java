/**
 * Takes batches of a tracer. Writes them as Perfetto traces, in checksummed chunks, to segment
 * files of limited size and number. Hands them to whoever opens a file: the viewer of Perfetto,
 * {@link tracer.perfetto.TraceReader}, or the tool on the command line.
 */
@NullMarked
package tracer.perfetto;

import org.jspecify.annotations.NullMarked;
