package tracer.sink;

import tracer.DropReason;
import tracer.Lane;

/**
 * A mark that events were dropped.
 *
 * @param lane the lane they were dropped from
 * @param reason why
 * @param count how many
 * @param from when the first of them was recorded, as {@link TraceBatch#time()}
 * @param to a time when the last of them had been recorded
 */
public record DataLoss(Lane lane, DropReason reason, long count, long from, long to) {}
