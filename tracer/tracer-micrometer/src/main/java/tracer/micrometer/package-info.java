/**
 * Takes a tracer. Reads its counters and its ledger when a registry asks. Hands Micrometer the
 * meters listed in {@link tracer.LaneMeter} and {@link tracer.TracerMeter}.
 */
@NullMarked
package tracer.micrometer;

import org.jspecify.annotations.NullMarked;
