/** A process with several libraries that ends: their last lines are in its log. */
@NullMarked
package chaos.exit;

import org.jspecify.annotations.NullMarked;
