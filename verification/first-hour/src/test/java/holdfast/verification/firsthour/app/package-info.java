/**
 * Takes an application as a user writes it, with the starters of all libraries. Puts it under load
 * while its connection pool replaces connections. Hands back what was counted at both ends.
 */
@NullMarked
package holdfast.verification.firsthour.app;

import org.jspecify.annotations.NullMarked;
