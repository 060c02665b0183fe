package outbox.model;

import java.time.Duration;

/**
 * What a node looks for. Immutable.
 *
 * @param terms who claims and for how long
 * @param limit how many at most
 * @param withSuspect whether one suspect may be among them
 * @param maxLapses a suspect that was started more often than this without a mark is dead
 * @param minAge how old an event must be at least before it is claimed the first time; zero for
 *     any, one that failed before is old enough
 */
public record ClaimRequest(
    LeaseTerms terms, int limit, boolean withSuspect, int maxLapses, Duration minAge) {}
