package outbox.model;

import java.time.Duration;

/**
 * Who holds events, and for how long unless renewed. Immutable.
 *
 * @param node the node's name, up to 128 characters
 * @param length how long a lease lasts by the database's clock
 */
public record LeaseTerms(String node, Duration length) {}
