package outbox.model;

/**
 * The proof that a node holds an event: statements made with it change the row only while nobody
 * else has claimed it since. Immutable.
 *
 * @param eventId which event
 * @param token the number of the claim; it moves on with every claim, retry, release and redeliver
 */
public record Held(String eventId, long token) {}
