/**
 * Takes answers to be kept in a table, shared by nodes and outliving them. Writes each with one
 * statement that never replaces a newer one, and sweeps by one node at a time. Hands them back by
 * one statement.
 */
@NullMarked
package failover.jdbc;

import org.jspecify.annotations.NullMarked;
