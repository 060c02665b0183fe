package tracer.sink;

import tracer.DropReason;
import tracer.Lane;

/**
 * A mark that events were dropped: those of one ring, or of several that follow each other without
 * a gap. Only when a hundred marks wait for the sink, distant ones of the same lane and reason are
 * merged.
 *
 * @param lane the lane they were dropped from
 * @param reason why
 * @param count how many
 * @param from when the first of them was recorded, as {@link TraceBatch#time()}
 * @param to a time when the last of them had been recorded
 * @param threadId the number of the thread that recorded them, as {@link TraceBatch#threadId()}; 0
 *     if several share the ring
 * @param threadName the name of that thread; empty if several share the ring
 */
public record DataLoss(
    Lane lane,
    DropReason reason,
    long count,
    long from,
    long to,
    long threadId,
    String threadName) {}
