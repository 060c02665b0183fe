package failover;

/**
 * What closing left behind.
 *
 * @param unwritten answers that the store was still to write
 */
public record CloseReport(int unwritten) {}
