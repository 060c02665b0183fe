/**
 * Takes what a node has claimed from a table that it shares with others. Keeps the leases while the
 * work waits, runs or awaits its mark, and collects the marks. Hands them to the table in batches,
 * again and again until they are written.
 */
@NullMarked
package holdfast.lease;

import org.jspecify.annotations.NullMarked;
