/**
 * Takes a connection or a data source, and the SQL of a library. Finds the {@link
 * holdfast.jdbc.Dialect} of the database, binds values in order, keeps instants in UTC, creates
 * missing tables and sees transactions to their end. Hands rows and update counts back.
 */
@NullMarked
package holdfast.jdbc;

import org.jspecify.annotations.NullMarked;
