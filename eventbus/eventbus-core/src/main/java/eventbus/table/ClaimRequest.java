package eventbus.table;

import java.time.Duration;
import java.util.Map;

/**
 * What a worker or a poll asks for. Immutable.
 *
 * @param worker who claims
 * @param lease how long the claim lasts unless renewed
 * @param room how many events of each type, at most; empty for any type
 * @param limit how many events at most
 * @param withSuspect whether one of them may be an event whose last worker was lost with it
 * @param startsNow whether the caller starts at once, so that the claim is the start of a suspect
 * @param maxLapses how many lost workers close an event as FAILED
 */
public record ClaimRequest(
    String worker,
    Duration lease,
    Map<String, Integer> room,
    int limit,
    boolean withSuspect,
    boolean startsNow,
    int maxLapses) {}
