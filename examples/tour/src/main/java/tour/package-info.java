/** One story through all rooms: orders, prices, mails, an outage, and the books at the end. */
@NullMarked
package tour;

import org.jspecify.annotations.NullMarked;
