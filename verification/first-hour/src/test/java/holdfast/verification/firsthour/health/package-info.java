/** What the health of an application with several starters says in trouble. */
@NullMarked
package holdfast.verification.firsthour.health;

import org.jspecify.annotations.NullMarked;
