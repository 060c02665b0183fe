/** What the log of an application shows of failures. */
@NullMarked
package holdfast.verification.firsthour.log;

import org.jspecify.annotations.NullMarked;
