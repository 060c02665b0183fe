/**
 * Counts every event that a library accepts and every event that leaves it. Keeps the invariant
 * accepted = delivered + held + lost[reason]. Returns {@link holdfast.ledger.LedgerSnapshot}s that
 * tests assert and people read.
 */
@NullMarked
package holdfast.ledger;

import org.jspecify.annotations.NullMarked;
