/**
 * Takes note of everything that enters a room and of everything that leaves it. Keeps the one law
 * of the house: accepted = delivered + held + lost, by reason, at any moment. Hands out {@link
 * holdfast.ledger.Books} that tests assert and people read.
 */
@NullMarked
package holdfast.ledger;

import org.jspecify.annotations.NullMarked;
