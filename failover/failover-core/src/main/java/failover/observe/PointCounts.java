package failover.observe;

/**
 * What happened at a point since the process began. Immutable.
 *
 * @param calls calls that have ended: live + recovered + failed
 * @param live calls answered by the source
 * @param recovered calls answered from the store
 * @param failed calls that got neither
 * @param stored answers handed to the store
 * @param storeFailures answers that could not be encoded or handed to the store
 * @param unreadable stored answers that could not be decoded
 * @param unkeyable calls that passed unprotected, because an argument allows no key
 * @param paused calls that did not wait for the source because it had failed before
 * @param slow calls answered from the store because the source was slow
 * @param health the share of the last 200 calls that got an answer, 1 if there were none
 * @param stale the share of the last 200 calls that were answered from the store
 */
public record PointCounts(
    long calls,
    long live,
    long recovered,
    long failed,
    long stored,
    long storeFailures,
    long unreadable,
    long unkeyable,
    long paused,
    long slow,
    double health,
    double stale) {}
