/**
 * The command line for trace files. Takes the arguments and the files, reads them with {@code
 * tracer.perfetto.TraceReader}, and prints events, losses and counts as text or JSON.
 */
@NullMarked
package tracer.tool;

import org.jspecify.annotations.NullMarked;
