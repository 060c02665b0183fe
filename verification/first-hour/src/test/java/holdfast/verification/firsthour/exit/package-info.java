/** An application with all starters that ends: its last lines are in its log. */
@NullMarked
package holdfast.verification.firsthour.exit;

import org.jspecify.annotations.NullMarked;
