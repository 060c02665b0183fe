/** One story through all rooms: orders, prices, mails, an outage, and the ledger at the end. */
@NullMarked
package tour;

import org.jspecify.annotations.NullMarked;
