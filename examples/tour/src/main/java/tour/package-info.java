/** One story through all libraries: orders, prices, mails, an outage, and the ledger at the end. */
@NullMarked
package tour;

import org.jspecify.annotations.NullMarked;
