package eventbus.table;

import holdfast.work.SuspectLimit;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * What a worker or a poll asks for. Immutable.
 *
 * @param worker who claims
 * @param lease how long the claim lasts unless renewed
 * @param limitByType how many events of each type, at most; empty for any type
 * @param leftOut types of which none is taken, where any type is asked for
 * @param below only events whose priority is less
 * @param busyTypes types that the caller has events of: among equals, others go first
 * @param limit how many events at most
 * @param maxBytes how many bytes their payloads may have in all; the first event always passes
 * @param suspects how many of them may be events whose last worker was lost with them
 * @param startsNow whether the caller starts at once, so that the claim is the start of a suspect
 * @param maxLapses how many lost workers close an event as FAILED
 */
public record ClaimRequest(
    String worker,
    Duration lease,
    Map<String, Integer> limitByType,
    Set<String> leftOut,
    int below,
    Set<String> busyTypes,
    int limit,
    long maxBytes,
    SuspectLimit suspects,
    boolean startsNow,
    int maxLapses) {}
