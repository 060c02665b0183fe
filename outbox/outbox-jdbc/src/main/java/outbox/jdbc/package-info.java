/**
 * Takes events and claims to a table in H2, PostgreSQL, MariaDB or MySQL. Writes the statements of
 * the outbox, each by a class named for its intent, in your transaction or in a short one of its
 * own. Hands you the one door, {@link outbox.jdbc.JdbcOutbox}.
 */
@NullMarked
package outbox.jdbc;

import org.jspecify.annotations.NullMarked;
